import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from 'react-router';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Button } from '#app/components/ui/button.tsx';
import { CopyButton } from '#app/components/value/copy/copied.tsx';
import type { DrawnPart, DrawnValue, TableCell } from '#app/components/value/drawn-value.ts';
import { pointerBelow, pointerParts } from '#app/components/value/json-pointer.ts';
import { JsonTree } from '#app/components/value/json-tree.tsx';
import { MarkdownView } from '#app/components/value/markdown-view.tsx';

/** Values of more bytes can be searched. */
const SEARCHED_BYTES = 2_000;

/** `addressOf`: the page with this part of the value open; `label`: names the value; `file`: the address of all of it as a file. */
type Props = {
  value: DrawnValue;
  label: string;
  file: string;
  addressOf: (pointer: string, from?: number) => string;
  /** The search in the value: where it is sent, the name of its field, and the rest of the page's address. */
  search: { action: string; name: string; hidden: readonly (readonly [name: string, value: string])[] };
};

/** A value as text, Markdown, table, facts or tree, with the way to each part of it. Needs the namespace common. */
export function DrawnValueView({ value, label, file, addressOf, search }: Props) {
  const { t } = useTranslation('common');
  const named = useNamed();
  const formats = useFormats();
  const size = formats.number(value.bytes / 1_000, {
    style: 'unit',
    unit: 'kilobyte',
    unitDisplay: 'short',
    maximumFractionDigits: value.bytes < 10_000 ? 1 : 0,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <span>{size}</span>
        <a href={file} download aria-label={named(t('value.download'), label)} className="text-link py-0.5">
          {t('value.download')}
        </a>
        <CopyButton file={file} name={label} />
      </p>
      {value.bytes > SEARCHED_BYTES && <SearchInValue value={value} label={label} search={search} />}
      <Found value={value} addressOf={addressOf} />
      <Trail value={value} label={label} addressOf={addressOf} />
      <Part part={value.part} pointer={value.pointer} label={label} addressOf={addressOf} />
      {value.hides && <p className="text-sm text-attention-ink">{t('hiddenText')}</p>}
    </div>
  );
}

type AtPart = Pick<Props, 'label' | 'addressOf'>;

function Part({ part, pointer, label, addressOf }: AtPart & { part: DrawnPart; pointer: string }): ReactNode {
  const { t } = useTranslation('common');
  const named = useNamed();
  switch (part.as) {
    case 'text':
      return part.text === '' ? (
        <p className="text-muted">{t('value.emptyText')}</p>
      ) : (
        <p>
          <bdi className="break-words whitespace-pre-wrap">{part.text}</bdi>
          {part.cut && <MoreOf text={t('value.whole')} to={addressOf(pointer)} />}
        </p>
      );
    case 'markdown':
      return <MarkdownView nodes={part.nodes} label={label} />;
    case 'facts':
      return (
        <dl className="border-t border-line">
          {part.entries.map(({ key, pointer: at, value }) => (
            <div
              key={key}
              className={`grid gap-x-4 gap-y-0.5 border-b border-line py-1.5 last:border-b-0 ${isShort(value) ? 'grid-cols-[7.5rem_minmax(0,1fr)] items-baseline' : 'grid-cols-[minmax(0,1fr)]'}`}
            >
              <dt className="text-sm break-words text-muted">
                <bdi>{key}</bdi>
              </dt>
              <dd>
                <Part part={value} pointer={at} label={named(label, key)} addressOf={addressOf} />
              </dd>
            </div>
          ))}
        </dl>
      );
    case 'table':
      return <Table part={part} pointer={pointer} label={label} addressOf={addressOf} />;
    case 'tree':
      return part.size === 0 ? (
        <p className="text-muted">{t(part.isList ? 'value.emptyList' : 'value.emptyObject')}</p>
      ) : (
        <>
          <ScrollGroup label={label} className="max-h-128 overflow-auto rounded-md border border-line bg-raised p-2">
            <JsonTree nodes={part.nodes} addressOf={addressOf} />
          </ScrollGroup>
          <Range {...part} shown={part.nodes.length} pointer={pointer} addressOf={addressOf} />
        </>
      );
  }
}

/** Stands beside its name. */
const isShort = (part: DrawnPart) =>
  (part.as === 'text' && part.text.length <= 80 && !part.text.includes('\n')) || (part.as === 'tree' && part.size === 0);

function MoreOf({ text, to }: { text: string; to: string }) {
  return (
    <>
      {' … '}
      <a href={to} className="text-link">
        {text}
      </a>
    </>
  );
}

type TablePart = Extract<DrawnPart, { as: 'table' }>;

function Table({ part, pointer, label, addressOf }: AtPart & { part: TablePart; pointer: string }) {
  const { number } = useFormats();
  return (
    <>
      <ScrollGroup label={label} className="max-h-128 overflow-auto rounded-md border border-line bg-surface">
        <table className="w-full text-sm">
          <caption className="sr-only">{label}</caption>
          <thead>
            <tr className="bg-raised text-xs text-muted">
              <th scope="col" className="px-2 py-1.5 text-end font-semibold">
                #
              </th>
              {part.columns.map((name) => (
                <th key={name} scope="col" className="px-2 py-1.5 text-start font-semibold">
                  <bdi>{name}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {part.rows.map((row) => (
              <tr key={row.key} className="border-t border-line align-baseline">
                <th scope="row" className="px-2 py-1.5 text-end font-normal text-muted">
                  <a href={addressOf(row.pointer)} className="text-link">
                    {number(row.key + 1)}
                  </a>
                </th>
                {part.columns.map((name, column) => (
                  <td key={name} className="px-2 py-1.5 text-start break-words">
                    <Cell cell={row.cells[column] ?? null} row={row.pointer} addressOf={addressOf} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollGroup>
      <Range {...part} shown={part.rows.length} pointer={pointer} addressOf={addressOf} />
    </>
  );
}

function Cell({ cell, row, addressOf }: { cell: TableCell; row: string; addressOf: Props['addressOf'] }) {
  const { t } = useTranslation('common');
  const { number } = useFormats();
  if (cell === null) return <span className="text-muted">–</span>;
  if ('size' in cell)
    return (
      <a href={addressOf(cell.pointer)} className="text-link">
        {t('value.entries', { number: number(cell.size) })}
      </a>
    );
  return (
    <>
      <bdi>{cell.text}</bdi>
      {cell.cut && <MoreOf text={t('value.whole')} to={addressOf(row)} />}
    </>
  );
}

/** Which entries are shown, with the ways to those before and after. */
function Range({
  from,
  shown,
  size,
  pointer,
  addressOf,
}: {
  from: number;
  shown: number;
  size: number;
  pointer: string;
  addressOf: Props['addressOf'];
}) {
  const { t } = useTranslation('common');
  const { number } = useFormats();
  if (shown >= size) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      <span className="text-muted">{t('value.range', { from: number(from + 1), to: number(from + shown), size: number(size) })}</span>
      {from > 0 && (
        <a href={addressOf(pointer, Math.max(0, from - Math.max(shown, 10)))} className="text-link">
          {t('value.before')}
        </a>
      )}
      {from + shown < size && (
        <a href={addressOf(pointer, from + shown)} className="text-link">
          {t('value.after')}
        </a>
      )}
    </p>
  );
}

/** From the whole value to the part that is open. */
function Trail({ value: { pointer }, label, addressOf }: AtPart & { value: DrawnValue }) {
  const { t } = useTranslation('common');
  if (pointer === '') return null;
  const parts = pointerParts(pointer);
  return (
    <nav aria-label={t('value.trail', { name: label })}>
      <ol className="flex flex-wrap items-center gap-x-1.5 gap-y-1 text-sm">
        <li>
          <a href={addressOf('')} className="text-link">
            {t('value.all')}
          </a>
        </li>
        {parts.map((part, index) => {
          const at = parts.slice(0, index + 1).reduce(pointerBelow, '');
          return (
            <li key={at} className="flex items-center gap-x-1.5">
              <span aria-hidden="true" className="text-muted">
                /
              </span>
              {index === parts.length - 1 ? (
                <bdi aria-current="true" className="font-mono">
                  {part}
                </bdi>
              ) : (
                <a href={addressOf(at)} className="text-link font-mono">
                  <bdi>{part}</bdi>
                </a>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

function SearchInValue({ value, label, search }: Pick<Props, 'value' | 'label' | 'search'>) {
  const { t } = useTranslation('common');
  return (
    <search>
      <Form method="get" action={search.action} preventScrollReset className="flex gap-2">
        {search.hidden.map(([name, text]) => (
          <input key={name} type="hidden" name={name} value={text} />
        ))}
        <input
          key={value.found?.words}
          type="search"
          name={search.name}
          defaultValue={value.found?.words}
          aria-label={t('value.searchIn', { name: label })}
          placeholder={t('value.search')}
          autoComplete="off"
          dir="auto"
          className="min-h-8 min-w-0 flex-1 rounded-md border border-edge bg-surface px-2 text-sm"
        />
        <Button size="small">{t('value.search')}</Button>
      </Form>
    </search>
  );
}

function Found({ value: { found }, addressOf }: { value: DrawnValue; addressOf: Props['addressOf'] }) {
  const { t } = useTranslation('common');
  const { number } = useFormats();
  if (found === null) return null;
  return (
    <div className="rounded-md border border-line p-2">
      <p role="status" className="text-sm font-semibold">
        {t(found.more ? 'value.foundFirst' : 'value.found', { number: number(found.places.length), words: found.words })}
      </p>
      <ul className="mt-1 grid max-h-64 gap-1 overflow-y-auto text-sm">
        {found.places.map(({ pointer, text }) => (
          <li key={pointer} className="break-words">
            <a href={addressOf(pointer)} className="text-link font-mono">
              <bdi>{pointer === '' ? '/' : pointer}</bdi>
            </a>{' '}
            <bdi className="text-muted">{text}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
