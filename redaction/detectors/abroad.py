# ruff: noqa: RUF001 - letters of other scripts are what this table is about
"""Names of secrets in other languages, as they are written, and their kinds.

Those of ``token`` are ordinary words, too (a word, a heading, a cipher), so there the value must look like a secret.
"""

from __future__ import annotations

from redaction.detectors.names import plain_letters

_TABLE = {
    "password": (
        "пароль|пароля|паролем|парола|лозинка|гасло|құпиясөз|нууц үг|密码|密碼|口令|パスワード|合言葉|비밀번호|암호|패스워드",
        "كلمة المرور|كلمة السر|كلمه المرور|رمز عبور|گذرواژه|סיסמה|סיסמא|κωδικός πρόσβασης|κωδικος προσβασης|συνθηματικό",
        "รหัสผ่าน|पासवर्ड|পাসওয়ার্ড|கடவுச்சொல்|პაროლი|գաղտնաբառ",
        "mot de passe|contraseña|contrasenya|palavra-passe|senha|passwort|kennwort|wachtwoord|lösenord|losenord|adgangskode|passord",
        "salasana|hasło|haslo|jelszó|jelszo|geslo|parool|slaptažodis|slaptazodis|fjalëkalimi|mật khẩu|kata sandi|şifre|pasahitza",
        "zaporka|lykilorð",
    ),
    "secret": (
        "секрет|секретный ключ|секретний ключ|мнемоническая фраза|密钥|密鑰|秘密鍵|助记词|助記詞|シークレット|비밀키|시크릿|المفتاح السري",
        "geheimnis|geheimer schlüssel|clé secrète|clave secreta|chiave segreta|chave secreta",
    ),
    "token": ("токен|令牌|トークン|토큰|jeton|mdp|parola|heslo|lozinka|sifre|parole",),
    "pin": ("暗証番号|пин-код|пинкод|пин код",),
    "otp": ("验证码|驗證碼|認証コード|確認コード|인증번호|код подтверждения",),
}
ABROAD = {phrase: kind for kind, lines in _TABLE.items() for line in lines for phrase in line.split("|")}
# As names are compared: small letters without accents. Where words have no blanks between them, the name is the end of a longer one.
KINDS_ABROAD = {plain_letters(phrase): kind for phrase, kind in ABROAD.items()}
UNSPACED = tuple(plain_letters(phrase) for phrase in ABROAD if ord(phrase[0]) > 0x0E00)
