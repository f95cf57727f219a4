//! Messages as bytes: a line of JSON each, or maps of MessagePack back to back.

use serde::{de::DeserializeOwned, Serialize};
use serde_json::Value;
use std::io::{self, BufRead, StdinLock, StdoutLock, Write};

/// Both ends of the pipe, and the message that was read last.
pub struct Wire {
    pub msgpack: bool,
    input: StdinLock<'static>,
    output: StdoutLock<'static>,
    line: Vec<u8>,
    map: Value,
}

impl Wire {
    pub fn new() -> Self {
        Wire {
            msgpack: false,
            input: io::stdin().lock(),
            output: io::stdout().lock(),
            line: Vec::new(),
            map: Value::Null,
        }
    }

    /// Read the next message; false at the end of input.
    pub fn read(&mut self) -> io::Result<bool> {
        if self.msgpack {
            if self.input.fill_buf()?.is_empty() {
                return Ok(false);
            }
            self.map = rmp_serde::from_read(&mut self.input).map_err(io::Error::other)?;
            Ok(true)
        } else {
            self.line.clear();
            Ok(self.input.read_until(b'\n', &mut self.line)? > 0)
        }
    }

    /// The message that was read last, as a type that has the fields one wants.
    pub fn decode<M: DeserializeOwned>(&self) -> io::Result<M> {
        Ok(if self.msgpack {
            M::deserialize(&self.map)?
        } else {
            serde_json::from_slice(&self.line)?
        })
    }

    /// Say something, at once.
    pub fn write<M: Serialize>(&mut self, message: &M) -> io::Result<()> {
        let said = if self.msgpack {
            rmp_serde::to_vec_named(message).map_err(io::Error::other)?
        } else {
            let mut line = serde_json::to_vec(message)?;
            line.push(b'\n');
            line
        };
        self.output.write_all(&said)?;
        self.output.flush()
    }
}
