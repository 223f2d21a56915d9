import { useTranslation } from 'react-i18next';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { RestOfValue, ValueView } from '#app/components/value/value-view.tsx';
import type { Json } from '#app/contracts/json.ts';
import { hidesText, revealedText } from '#app/domain/connections/hidden-text.ts';
import type { FactRows } from '#app/domain/runs/facts/fact-rows.ts';
import { factType } from '#app/domain/runs/facts/fact-type.ts';
import { PLAIN_VALUES } from '#app/domain/workflows/fields/plain-values.ts';
import type { LoadedApproval } from '#app/features/approvals/load-approval.server.ts';

type Fact = LoadedApproval['input'][number];

/** The facts of a decision, in the order of their author. `file`: the address of the whole action. Needs the namespaces common and inputs. */
export function FactList({ facts, file }: { facts: readonly Fact[]; file: string }) {
  return (
    <DescriptionList items={facts.map((fact) => ({ term: revealedText(fact.name), description: <FactValue fact={fact} file={file} /> }))} />
  );
}

/** Short enough to never need scrolling, nor a stop of the Tab key. */
const SHORT_MAX = 300;

/** Plain text as text, never as markup: it comes from outside. */
function FactValue({ fact, file }: { fact: Fact; file: string }) {
  const { t } = useTranslation('common');
  const { value } = fact;
  const name = revealedText(fact.name);
  if (fact.rows !== null) return <FactTable rows={fact.rows} name={name} />;
  if ('whole' in value && factType(value.whole) !== null) return <KnownValue value={value.whole} />;
  const isObject = 'whole' in value && typeof value.whole === 'object' && value.whole !== null;
  if (isObject || !('whole' in value || fact.isText)) return <ValueView value={value} label={name} file={file} />;
  const written = 'whole' in value ? value.whole : value.start;
  const raw = typeof written === 'string' ? written : JSON.stringify(written);
  const hides = 'whole' in value ? hidesText(raw) : value.hides;
  const text = revealedText(raw);
  const shown = (
    <span dir="auto" className="block text-as-parent break-words whitespace-pre-wrap">
      {text}
    </span>
  );
  return (
    <>
      {text.length <= SHORT_MAX ? (
        shown
      ) : (
        <ScrollGroup label={name} className="max-h-96 overflow-auto">
          {shown}
        </ScrollGroup>
      )}
      {hides ? <p className="mt-1 text-sm text-attention-ink">{t('hiddenText')}</p> : null}
      {'whole' in value ? null : <RestOfValue value={value} label={name} file={file} />}
    </>
  );
}

/** A value in the reader's language where its form says what it is; its exact text stands in the whole action. */
function KnownValue({ value }: { value: Json }) {
  const { t } = useTranslation('inputs');
  const formats = useFormats();
  if (value === null || value === '') return '–';
  const type = factType(value);
  if (type === 'boolean') return value ? t('yes') : t('no');
  if (type !== null) return PLAIN_VALUES[type](value, formats);
  return <bdi className="wrap-anywhere whitespace-pre-wrap">{revealedText(String(value))}</bdi>;
}

function FactTable({ rows: { columns, rows }, name }: { rows: FactRows; name: string }) {
  const hides = rows.flat().some((cell) => typeof cell === 'string' && hidesText(cell)) || columns.some(hidesText);
  const { t } = useTranslation('common');
  return (
    <>
      <ScrollGroup label={name} className="max-h-96 overflow-auto rounded-md border border-line bg-surface">
        <table className="w-full text-sm">
          <caption className="sr-only">{name}</caption>
          <thead>
            <tr className="border-b border-edge/60 bg-raised text-xs text-muted">
              {columns.map((column) => (
                <th key={column} scope="col" className="px-3 py-1.5 text-start font-semibold">
                  <bdi>{revealedText(column)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own, and these never change places
              <tr key={place} className="border-b border-line align-baseline last:border-b-0">
                {cells.map((cell, column) => (
                  <td key={columns[column]} className={`px-3 py-1.5 ${typeof cell === 'number' ? 'tabular-nums' : ''}`}>
                    <KnownValue value={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollGroup>
      {hides ? <p className="mt-1 text-sm text-attention-ink">{t('hiddenText')}</p> : null}
    </>
  );
}
