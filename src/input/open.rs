//! Opens what is to be read: files and standard input, packed or not, UTF-16 transcribed on the way.

use std::{
    fs::File,
    io::{self, BufReader, Chain, Cursor, Read},
    path::Path,
};

use encoding_rs::{CoderResult, Decoder, UTF_16BE, UTF_16LE};

use crate::sheet::{Encoding, source};

/// Bytes looked at to tell what a file is.
const HEAD: usize = source::UTF_16_HEAD;

/// The bytes of a file, unpacked.
pub type Bytes = Box<dyn Read + Send>;

/// The text of a file, unpacked, UTF-16 as UTF-8.
pub type Text = Box<dyn Read + Send>;

/// A file that is open for reading.
pub struct Opened {
    /// Its text.
    pub text: Text,
    /// The UTF-16 that the text is transcribed from.
    pub utf16: Option<Encoding>,
}

/// How a file is packed; told by its content, whatever its name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// gzip, several members too.
    Gzip,
    /// Zstandard, several frames too.
    Zstd,
    /// bzip2, several streams too.
    Bzip2,
}

impl Packing {
    /// Its usual name; none where nothing is packed.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Packing::Plain => None,
            Packing::Gzip => Some("gzip"),
            Packing::Zstd => Some("zstd"),
            Packing::Bzip2 => Some("bzip2"),
        }
    }

    /// The packing whose magic bytes begin `head`.
    pub fn of(head: &[u8]) -> Packing {
        match head {
            [0x1f, 0x8b, ..] => Packing::Gzip,
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstd,
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31 | 0x17, ..] => Packing::Bzip2,
            _ => Packing::Plain,
        }
    }
}

/// Opens a file's text, `-` being standard input: unpacked, and UTF-16 as UTF-8.
///
/// # Errors
///
/// Where the file cannot be opened or its first bytes not be read.
pub fn open(path: &Path) -> io::Result<Opened> {
    let (_, bytes) = bytes(path)?;
    let (head, bytes) = peeked(bytes)?;
    let utf16 = source::utf16(&head);
    let text: Text = match utf16 {
        Some(Encoding::Utf16Le) => Box::new(Transcriber::new(bytes, UTF_16LE)),
        Some(_) => Box::new(Transcriber::new(bytes, UTF_16BE)),
        None => Box::new(bytes),
    };
    Ok(Opened { text, utf16 })
}

/// Opens a file, `-` being standard input: unpacked, and nothing else changed.
///
/// # Errors
///
/// Where the file cannot be opened or its first bytes not be read.
pub fn bytes(path: &Path) -> io::Result<(Packing, Bytes)> {
    if path.as_os_str() == "-" {
        return unpacked(io::stdin());
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder; name the scores in it"));
    }
    unpacked(file)
}

fn unpacked(bytes: impl Read + Send + 'static) -> io::Result<(Packing, Bytes)> {
    let (head, bytes) = peeked(bytes)?;
    let packing = Packing::of(&head);
    let bytes: Bytes = match packing {
        Packing::Plain => Box::new(bytes),
        Packing::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(BufReader::new(bytes))),
        Packing::Zstd => Box::new(zstd::stream::read::Decoder::new(bytes)?),
        Packing::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(BufReader::new(bytes))),
    };
    Ok((packing, bytes))
}

/// A stream whose first bytes were looked at and are still to come.
type Peeked<R> = (Vec<u8>, Chain<Cursor<Vec<u8>>, R>);

fn peeked<R: Read>(mut bytes: R) -> io::Result<Peeked<R>> {
    let mut head = Vec::with_capacity(HEAD);
    bytes.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    Ok((head.clone(), Cursor::new(head).chain(bytes)))
}

/// Reads UTF-16, gives UTF-8; what is no character becomes U+FFFD.
struct Transcriber<R> {
    bytes: R,
    decoder: Decoder,
    raw: Vec<u8>,
    text: Vec<u8>,
    given: usize,
    ended: bool,
}

impl<R: Read> Transcriber<R> {
    fn new(bytes: R, encoding: &'static encoding_rs::Encoding) -> Self {
        Transcriber {
            bytes,
            decoder: encoding.new_decoder_with_bom_removal(),
            raw: vec![],
            text: vec![],
            given: 0,
            ended: false,
        }
    }

    fn refill(&mut self) -> io::Result<()> {
        self.raw.clear();
        self.bytes.by_ref().take(1 << 16).read_to_end(&mut self.raw)?;
        self.ended = self.raw.is_empty();
        let room = self.decoder.max_utf8_buffer_length(self.raw.len()).unwrap_or(1 << 18);
        self.text.resize(room, 0);
        let (result, _, written, _) = self.decoder.decode_to_utf8(&self.raw, &mut self.text, self.ended);
        debug_assert_eq!(result, CoderResult::InputEmpty, "the room asked for is enough");
        self.text.truncate(written);
        self.given = 0;
        Ok(())
    }
}

impl<R: Read> Read for Transcriber<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() && !self.ended {
            self.refill()?;
        }
        let count = buffer.len().min(self.text.len() - self.given);
        buffer[..count].copy_from_slice(&self.text[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}
