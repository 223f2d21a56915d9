import { useTranslation } from 'react-i18next';
import { useHydrated } from '#app/components/live/hydrated.ts';
import { firstText } from '#app/domain/workflows/mappings/completion.ts';
import {
  type ExpressionField,
  expressionUse,
  replaceText,
  useExpressionField,
} from '#app/features/workflows/editor/expressions/expression-field.ts';
import { groupKey, groupTitle, KnownWords } from '#app/features/workflows/editor/expressions/known-words.tsx';
import type { KnownData } from '#app/features/workflows/editor/expressions/load-known-data.server.ts';

/** The names that expressions of a form may use. With scripts each goes into the field that was last typed in. */
export function DataAtHand({ known }: { known: KnownData }) {
  const { t } = useTranslation('workflows');
  const hydrated = useHydrated();
  const field = useExpressionField();
  return (
    <details className="mb-6 rounded-lg border border-line bg-surface">
      <summary className="min-h-11 cursor-pointer px-4 py-2.5 font-semibold text-accent">{t('known.title')}</summary>
      <div className={`grid gap-4 px-4 pt-1 pb-4 ${hydrated ? 'max-h-96 overflow-y-auto' : ''}`}>
        <p className="max-w-measure text-sm text-muted">
          {t('known.hint')} {hydrated && `${t('known.hintInsert')} `}
          {t(known.from === null ? 'known.noRun' : known.from === 'run' ? 'known.samples' : 'known.ofSample')}
        </p>
        {known.groups.map((group) => {
          const title = groupTitle(group, t);
          return (
            <section key={groupKey(group)} aria-label={title} className="grid gap-1">
              <h3 className="text-sm font-semibold">
                <bdi>{title}</bdi>
              </h3>
              <ul className="grid">
                {group.values.map((value) => {
                  const words = <KnownWords {...value} />;
                  return (
                    <li key={value.expression} className="border-t border-line first:border-0">
                      {hydrated ? (
                        <button
                          type="button"
                          className="grid min-h-9 w-full gap-0.5 rounded-md px-2 py-1.5 text-start hover:bg-raised"
                          onClick={() => insert(field, value.expression)}
                        >
                          <span className="sr-only">{t('known.insert')}</span>
                          {words}
                        </button>
                      ) : (
                        <div className="grid gap-0.5 px-2 py-1.5">{words}</div>
                      )}
                    </li>
                  );
                })}
              </ul>
            </section>
          );
        })}
      </div>
    </details>
  );
}

/** An empty field becomes an expression; in a longer one the name comes in at the cursor. */
function insert(field: ExpressionField | null, expression: string): void {
  if (field === null || !field.isConnected) return;
  if (field.value.trim() === '') replaceText(field, 0, field.value.length, firstText(expressionUse(field), expression));
  else replaceText(field, field.selectionStart ?? field.value.length, field.selectionEnd ?? field.value.length, expression);
  field.focus();
}
