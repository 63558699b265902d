"""Load the kernel that is built for the ISA of this machine in place of this module."""

from limina._kernel._isa import load_kernel

load_kernel(__name__)
