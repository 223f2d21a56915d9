/** `begun`: tells one call at a place from the next. `text`: its end so far; null where only its length is shown. */
export type PartialText = { path: string; name: string; begun: number; chars: number; text: string | null };

/** The texts that steps of a run were writing `at` this time of the server, in milliseconds. */
export type PartialTexts = { at: number; texts: readonly PartialText[] };

/**
 * The later of what was read with the page and what came by the stream. A text begins and ends by the later one, also where the earlier one
 * arrives after it, and never gets shorter.
 */
export function latestTexts(read: PartialTexts, streamed: PartialTexts | null): readonly PartialText[] {
  if (streamed === null) return read.texts;
  const [later, earlier] = streamed.at > read.at ? [streamed, read] : [read, streamed];
  return later.texts.map((text) => {
    const other = earlier.texts.find(({ path }) => path === text.path);
    return other !== undefined && (other.begun > text.begun || (other.begun === text.begun && other.chars > text.chars)) ? other : text;
  });
}
