/** The note inside a mail as it was saved: from the origin's line to the signature's. */
export function noteIn(text: string): string {
  return /^\S+\r?\n\d+\r?\n[A-Za-z0-9+/]{43}=\r?\n\r?\n(?:\u2014 \S+ \S+\r?\n?)+/mu.exec(text)?.[0] ?? text;
}
