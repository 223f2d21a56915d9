import { useEffect, useState } from 'react';
import type { ExpressionUse } from '#app/domain/workflows/mappings/completion.ts';

export type ExpressionField = HTMLInputElement | HTMLTextAreaElement;

/** The field for expressions that was last typed in, wherever on the page; null before the first. */
export function useExpressionField(): ExpressionField | null {
  const [field, setField] = useState<ExpressionField | null>(null);
  useEffect(() => {
    const note = ({ target }: { target: EventTarget | null }) => {
      if (takesExpressions(target)) setField(target);
    };
    // One that has the focus before scripts arrive is found, too.
    note({ target: document.activeElement });
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, []);
  return field;
}

/** How expressions are written in a field, as its form says in `data-expression`. */
export const expressionUse = (field: ExpressionField): ExpressionUse =>
  (field.closest<HTMLElement>('[data-expression]')?.dataset.expression as ExpressionUse | undefined) ?? 'marked';

const takesExpressions = (target: EventTarget | null): target is ExpressionField =>
  (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) && target.closest('[data-expression]') !== null;

/** Puts a text into the place of another, and lets all that listens to the field know. */
export function replaceText(field: ExpressionField, from: number, to: number, text: string): void {
  field.setRangeText(text, from, to, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
