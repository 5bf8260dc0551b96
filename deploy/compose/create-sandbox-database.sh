#!/bin/sh
# Run by the image of PostgreSQL when it creates its data, beside the database of production.
set -eu

createdb --username "$POSTGRES_USER" --owner "$POSTGRES_USER" seathold_sandbox
