import { useState } from 'react';
import { PALETTE_FRAME, Palette, type PaletteAnswer } from '#app/components/palette/palette.tsx';

const stay = () => {};

/** A palette whose choices lead nowhere. `words`: those that were typed. */
export function SamplePalette({ answer, words }: { answer: PaletteAnswer; words: string }) {
  const [typed, setTyped] = useState(words);
  return (
    <div className={PALETTE_FRAME}>
      <Palette words={typed} onWords={setTyped} answer={answer} onChoose={stay} onAll={stay} />
    </div>
  );
}
