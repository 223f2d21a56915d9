import { useTranslation } from 'react-i18next';
import { Form, href, useLocation } from 'react-router';
import type { Column } from '#app/components/data/data-table.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { useLooksForm } from '#app/components/look/looks-provider.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Button, buttonClass } from '#app/components/ui/button.tsx';
import { DENSITIES } from '#app/domain/people/appearance.ts';
import SlidersHorizontal from '~icons/sliders-horizontal';

/** The columns that are left of a list; the first one names its rows and stays. */
export function shownColumns<Row>(columns: readonly Column<Row>[], hidden: readonly string[]): Column<Row>[] {
  return columns.filter(({ key }, place) => place === 0 || !hidden.includes(key));
}

/**
 * The settings of a list: its columns, kept for the reader in this workspace under the name of the `list`, and how many rows fit on the
 * screen. `of`: the list in words.
 */
export function TableMenu<Row>({
  list,
  of,
  columns,
  hidden,
}: {
  list: string;
  of: string;
  columns: readonly Column<Row>[];
  hidden: readonly string[];
}) {
  const { t } = useTranslation('common');
  const named = useNamed();
  const { pathname, search } = useLocation();
  return (
    <details className="print:hidden">
      <summary aria-label={named(t('table.menu'), of)} className={buttonClass('secondary', 'small', 'cursor-pointer list-none')}>
        <SlidersHorizontal aria-hidden="true" />
        {t('table.menu')}
      </summary>
      <div className="mt-2 flex flex-wrap items-start gap-x-10 gap-y-4 rounded-lg border border-line bg-surface p-4">
        <CommandForm action={href('/dashboard/columns')} hidden={{ list, next: `${pathname}${search}` }}>
          <fieldset>
            <legend className="mb-1 text-sm font-semibold">{t('table.columns')}</legend>
            <ul className="flex flex-wrap gap-x-6 gap-y-1">
              {columns.slice(1).map(({ key, header }) => (
                <li key={key}>
                  <input type="hidden" name="column" value={key} />
                  <label className="flex min-h-8 items-center gap-2 text-sm">
                    <input
                      key={String(hidden.includes(key))}
                      type="checkbox"
                      name="shown"
                      value={key}
                      defaultChecked={!hidden.includes(key)}
                      className="size-5 accent-accent"
                    />
                    {header}
                  </label>
                </li>
              ))}
            </ul>
          </fieldset>
          <Button size="small" className="mt-2">
            {t('table.apply')}
          </Button>
        </CommandForm>
        <Density next={`${pathname}${search}`} />
      </div>
    </details>
  );
}

function Density({ next }: { next: string }) {
  const { t } = useTranslation('common');
  const { looks, onSubmit } = useLooksForm();
  return (
    <Form method="post" action={href('/preferences/appearance')} preventScrollReset onSubmit={onSubmit}>
      <WorkspaceInput />
      <input type="hidden" name="next" value={next} />
      <fieldset>
        <legend className="mb-1 text-sm font-semibold">{t('table.density')}</legend>
        <span className="flex gap-2">
          {DENSITIES.map((density) => (
            <Button
              key={density}
              size="small"
              name="density"
              value={density}
              aria-pressed={looks?.density === density}
              className="aria-pressed:border-accent aria-pressed:text-accent"
            >
              {t(`table.${density}`)}
            </Button>
          ))}
        </span>
      </fieldset>
    </Form>
  );
}
