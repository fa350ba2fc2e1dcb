"""What is measured: one folder an area, with its workloads, targets, reasons and reference table."""
