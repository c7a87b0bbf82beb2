import threading
import time

threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
