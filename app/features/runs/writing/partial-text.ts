/** `begun`: tells one call at a place from the next. `text`: its end so far; null where only its length is shown. */
export type PartialText = { path: string; name: string; begun: number; chars: number; text: string | null };

/** Replaces texts that were read with the page by those of the stream where these are longer or newer. */
export function furtherTexts(read: readonly PartialText[], streamed: readonly PartialText[]): readonly PartialText[] {
  return read.map((text) => {
    const newer = streamed.find(({ path }) => path === text.path);
    return newer !== undefined && (newer.begun > text.begun || (newer.begun === text.begun && newer.chars > text.chars)) ? newer : text;
  });
}
