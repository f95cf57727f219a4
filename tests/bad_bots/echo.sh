#!/bin/sh
# Sends back every message of the referee.
exec cat
