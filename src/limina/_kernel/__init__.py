"""The engine room: replaced by the kernel that is built for this machine's processor as soon as it is imported."""

from limina.paths import load

load(__name__)
