import { useEffect, useState } from 'react';

export type ExpressionField = HTMLInputElement | HTMLTextAreaElement;

/** The field for expressions that was last typed in, wherever on the page; null before the first. */
export function useExpressionField(): ExpressionField | null {
  const [field, setField] = useState<ExpressionField | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      if (takesExpressions(target)) setField(target);
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  return field;
}

/** Fields for code read from left to right; the short name of a step does, too. */
const takesExpressions = (target: EventTarget | null): target is ExpressionField =>
  (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && target.dir === 'ltr' && target.name !== 'id';
