import { useState } from 'react';

/**
 * A choice shown as it was loaded, until it is made here. What is loaded later counts only where it says something else (another tab has
 * chosen): a page that was on its way when the choice was made does not know of it.
 */
export function useChosen<T extends string | boolean>(loaded: T): [T, (chosen: T) => void] {
  const [shown, setShown] = useState(loaded);
  const [known, setKnown] = useState(loaded);
  if (known !== loaded) {
    setKnown(loaded);
    setShown(loaded);
  }
  return [shown, setShown];
}
