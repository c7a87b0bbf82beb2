#!/bin/sh
echo "$0" | sed "s:.*/::"
echo "$# $1"
cat
echo "$GIVEN" >&2
exit 3
