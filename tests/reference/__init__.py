"""Both games written plainly from the specification: slow, and the second opinion on the kernel."""
