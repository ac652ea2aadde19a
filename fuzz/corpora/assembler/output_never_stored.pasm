.output "y:0"
HALT
