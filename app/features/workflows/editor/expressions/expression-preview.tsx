import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { ExpressionUse } from '#app/domain/workflows/mappings/completion.ts';
import { isExpression } from '#app/domain/workflows/mappings/expression-text.ts';
import { type ExpressionField, expressionUse, useExpressionField } from '#app/features/workflows/editor/expressions/expression-field.ts';
import type { PreviewedValue } from '#app/features/workflows/editor/expressions/preview-value.server.ts';

/** With it and the answer a value stands 150 ms after the last key; a further key within it asks once. */
const TYPING_MS = 80;

/** With scripts: the value of the expression that is being written, with the data of the newest run, or its fault. */
export function ExpressionPreview({ workflow, path }: { workflow: string; path: string }) {
  const { t } = useTranslation('workflows');
  const field = useExpressionField();
  const [shown, setShown] = useState<PreviewedValue>({ state: 'none' });
  useEffect(() => {
    if (field === null) return;
    let timer: number | undefined;
    let asking = new AbortController();
    const ask = () => {
      window.clearTimeout(timer);
      asking.abort();
      asking = new AbortController();
      const { signal } = asking;
      const use = expressionUse(field);
      if (!hasValue(field, use)) setShown({ state: 'none' });
      else
        timer = window.setTimeout(() => {
          void readValue(workflow, path, field.value, use, signal).then((value) => {
            if (value !== null) setShown(value);
          });
        }, TYPING_MS);
    };
    ask();
    field.addEventListener('input', ask);
    return () => {
      window.clearTimeout(timer);
      asking.abort();
      field.removeEventListener('input', ask);
    };
  }, [field, workflow, path]);
  const place = field?.closest('[data-expression]');
  const words = shown.state !== 'none' && (
    <>
      <p className="text-sm text-muted">{t('known.preview')}</p>
      {shown.state === 'value' ? (
        <code dir="auto" className="text-sm wrap-anywhere">
          {revealedText(shown.text)}
        </code>
      ) : (
        <p className="text-sm font-semibold text-danger-ink">
          <ExplanationText explanation={shown.why} />
        </p>
      )}
    </>
  );
  return (
    <>
      <div role="status" className="sr-only">
        {words}
      </div>
      {words !== false &&
        place != null &&
        // Below its own field, so that it lies over none.
        createPortal(
          <div
            aria-hidden="true"
            className="mt-1 grid max-h-48 max-w-measure gap-1 overflow-y-auto rounded-lg border border-line bg-raised p-3"
          >
            {words}
          </div>,
          place,
        )}
    </>
  );
}

/** A template of one line has a value as a whole; one of a document is a page. */
function hasValue(field: ExpressionField, use: ExpressionUse): boolean {
  if (use === 'template') return field instanceof HTMLInputElement && field.value.includes('{{');
  return isExpression(field.value) || (use === 'always' && field.value.trim() !== '');
}

/** Null: another was asked for meanwhile, or there is no answer now; what is shown stays. */
async function readValue(
  workflow: string,
  path: string,
  expression: string,
  use: ExpressionUse,
  signal: AbortSignal,
): Promise<PreviewedValue | null> {
  try {
    const response = await fetch(href('/dashboard/workflows/:workflow/edit/value', { workflow }), {
      method: 'POST',
      body: new URLSearchParams({ expression, path, use }),
      signal,
    });
    return response.ok ? ((await response.json()) as PreviewedValue) : null;
  } catch {
    return null;
  }
}
