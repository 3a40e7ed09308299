"""Networks that agents play with; `train.networks` trains them."""
