import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { PRICED_PLANS } from '#app/features/public/evidence/claims.ts';
import Check from '~icons/check';
import Minus from '~icons/minus';

const LIMITS = ['agents', 'workflows', 'executions'] as const;
const FEATURES = ['first', 'second', 'third'] as const;
/** Included in every plan: safety is never an extra. */
const EVERYWHERE = ['protocols', 'policies', 'proof', 'halt', 'languages', 'selfHosting'] as const;

/** Plans as columns. Limits come from where the product enforces them. */
export function PlanTable() {
  const { t } = useTranslation(['offer', 'landing']);
  const formats = useFormats();
  const dollars = (amount: number) =>
    formats.number(amount, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', maximumFractionDigits: 0 });
  const label = t('pricing.compare');
  return (
    <ScrollGroup label={label} className="relative overflow-x-auto rounded-lg border border-line bg-surface">
      <table className="w-full min-w-[40rem] border-collapse text-sm">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr className="border-b border-line bg-raised">
            <th scope="col" className="p-3 text-start font-semibold">
              {t('pricing.whatYouGet')}
            </th>
            {PRICED_PLANS.map(({ plan }) => (
              <th key={plan} scope="col" className="w-[22%] p-3 text-start font-semibold">
                {t(`landing:pricing.${plan}.name`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row
            head={t('pricing.price')}
            cells={PRICED_PLANS.map(({ price }) =>
              price === null ? t('landing:pricing.custom') : `${dollars(price)} ${t('landing:pricing.perMonth')}`,
            )}
          />
          {LIMITS.map((limit) => (
            <Row
              key={limit}
              head={t(`pricing.${limit}`)}
              cells={PRICED_PLANS.map(({ limits }) => {
                const most = limits[limit];
                return most === null ? t('pricing.unlimited') : formats.number(most);
              })}
            />
          ))}
          {PRICED_PLANS.flatMap(({ plan }, place) =>
            FEATURES.map((feature) => (
              <Row
                key={`${plan} ${feature}`}
                head={t(`landing:pricing.${plan}.${feature}`)}
                cells={PRICED_PLANS.map(({ plan: column }, at) => <Has key={column} it={at >= place} />)}
              />
            )),
          )}
          {EVERYWHERE.map((feature) => (
            <Row key={feature} head={t(`pricing.everywhere.${feature}`)} cells={PRICED_PLANS.map(({ plan }) => <Has key={plan} it />)} />
          ))}
        </tbody>
      </table>
    </ScrollGroup>
  );
}

function Row({ head, cells }: { head: string; cells: readonly ReactNode[] }) {
  return (
    <tr className="border-b border-line last:border-b-0">
      <th scope="row" className="p-3 text-start font-normal">
        {head}
      </th>
      {cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its column
        <td key={index} className="p-3 tabular-nums">
          {cell}
        </td>
      ))}
    </tr>
  );
}

function Has({ it }: { it: boolean }) {
  const { t } = useTranslation('offer');
  const Icon = it ? Check : Minus;
  return (
    <>
      <Icon aria-hidden="true" className={`size-4 ${it ? 'text-accent' : 'text-muted'}`} strokeWidth={2.5} />
      <span className="sr-only">{it ? t('pricing.included') : t('pricing.notIncluded')}</span>
    </>
  );
}
