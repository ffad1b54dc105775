//! The piece letters of the languages in which scores are written.

use shakmaty::Role;

/// Which letter stands for which piece.
#[derive(Debug, PartialEq, Eq)]
pub struct Letters {
    /// The languages that write so, English names: "Portuguese, Galician".
    pub languages: &'static str,
    /// Letters in capitals, longer ones first.
    letters: &'static [(&'static str, Role)],
}

use Role::{Bishop as B, King as K, Knight as N, Pawn as P, Queen as Q, Rook as R};

/// English.
pub static ENGLISH: Letters = Letters {
    languages: "English",
    letters: &[("KT", N), ("K", K), ("Q", Q), ("R", R), ("B", B), ("N", N), ("P", P), ("К", K), ("В", B)],
};

/// Every set of letters known; English first, the more widespread before the rarer.
pub static ALL: [&Letters; 21] = [
    &ENGLISH,
    &Letters {
        languages: "German, Danish, Norwegian, Swedish, Slovene, Croatian",
        letters: &[("K", K), ("D", Q), ("T", R), ("L", B), ("S", N)],
    },
    &Letters { languages: "French", letters: &[("R", K), ("D", Q), ("T", R), ("F", B), ("C", N), ("P", P)] },
    &Letters {
        languages: "Spanish, Italian, Catalan",
        letters: &[("R", K), ("D", Q), ("T", R), ("A", B), ("C", N), ("P", P)],
    },
    &Letters {
        languages: "Portuguese, Galician",
        letters: &[("R", K), ("D", Q), ("T", R), ("B", B), ("C", N), ("P", P)],
    },
    &Letters { languages: "Dutch", letters: &[("K", K), ("D", Q), ("T", R), ("L", B), ("P", N)] },
    &Letters {
        languages: "Russian",
        letters: &[
            ("КР", K),
            ("KР", K),
            ("KP", K),
            ("КP", K),
            ("Ф", Q),
            ("Л", R),
            ("С", B),
            ("C", B),
            ("К", N),
            ("K", N),
        ],
    },
    &Letters { languages: "Polish", letters: &[("K", K), ("H", Q), ("W", R), ("G", B), ("S", N)] },
    &Letters {
        languages: "Czech, Slovak",
        letters: &[("K", K), ("D", Q), ("V", R), ("S", B), ("J", N), ("P", P)],
    },
    &Letters { languages: "Hungarian", letters: &[("K", K), ("V", Q), ("B", R), ("F", B), ("H", N)] },
    &Letters {
        languages: "Romanian",
        letters: &[("R", K), ("D", Q), ("T", R), ("N", B), ("C", N), ("P", P)],
    },
    &Letters { languages: "Finnish", letters: &[("K", K), ("D", Q), ("T", R), ("L", B), ("R", N)] },
    &Letters { languages: "Estonian", letters: &[("K", K), ("L", Q), ("V", R), ("O", B), ("R", N)] },
    &Letters {
        languages: "Icelandic",
        letters: &[("K", K), ("D", Q), ("H", R), ("B", B), ("R", N), ("P", P)],
    },
    &Letters {
        languages: "Ukrainian",
        letters: &[
            ("КР", K),
            ("KР", K),
            ("KP", K),
            ("КP", K),
            ("Ф", Q),
            ("Т", R),
            ("T", R),
            ("С", B),
            ("C", B),
            ("К", N),
            ("K", N),
        ],
    },
    &Letters {
        languages: "Bulgarian",
        letters: &[("Ц", K), ("Д", Q), ("Т", R), ("T", R), ("О", B), ("O", B), ("К", N), ("K", N)],
    },
    &Letters {
        languages: "Serbian, Macedonian",
        letters: &[("К", K), ("K", K), ("Д", Q), ("Т", R), ("T", R), ("Л", B), ("С", N), ("C", N)],
    },
    &Letters { languages: "Latvian", letters: &[("K", K), ("D", Q), ("T", R), ("L", B), ("Z", N)] },
    &Letters {
        languages: "Lithuanian",
        letters: &[("K", K), ("V", Q), ("B", R), ("R", B), ("Ž", N), ("Z", N)],
    },
    &Letters {
        languages: "Turkish", letters: &[("Ş", K), ("S", K), ("V", Q), ("K", R), ("F", B), ("A", N)]
    },
    &Letters { languages: "Greek", letters: &[("Ρ", K), ("Β", Q), ("Π", R), ("Α", B), ("Ι", N)] },
];

impl Letters {
    /// The piece at the beginning of `text` (capitals or not) and how many characters name it; figurines always count.
    pub fn piece(&self, text: &[char]) -> Option<(Role, usize)> {
        let first = *text.first()?;
        if let Some(role) = figurine(first) {
            return Some((role, 1));
        }
        self.letters.iter().find_map(|(letters, role)| {
            let mut len = 0;
            for (i, letter) in letters.chars().enumerate() {
                let written = text.get(i)?;
                if upper(*written) != letter {
                    return None;
                }
                len = i + 1;
            }
            Some((*role, len))
        })
    }
}

/// The piece that a figurine shows.
pub fn figurine(c: char) -> Option<Role> {
    Some(match c {
        '♔' | '♚' => K,
        '♕' | '♛' => Q,
        '♖' | '♜' => R,
        '♗' | '♝' => B,
        '♘' | '♞' => N,
        '♙' | '♟' => P,
        _ => return None,
    })
}

fn upper(c: char) -> char {
    c.to_uppercase().next().unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_means_what_the_language_says() {
        let of = |language: &str, c: &str| {
            let letters = ALL.iter().find(|l| l.languages.contains(language)).expect("a known language");
            letters.piece(&c.chars().collect::<Vec<_>>()).map(|p| p.0)
        };
        assert_eq!(of("Hungarian", "Be1"), Some(R));
        assert_eq!(of("French", "Re1"), Some(K));
        assert_eq!(of("Russian", "Крe1"), Some(K));
        assert_eq!(of("Russian", "Кe1"), Some(N));
        assert_eq!(of("English", "Se1"), None);
        assert_eq!(of("German", "♘f3"), Some(N));
    }
}
