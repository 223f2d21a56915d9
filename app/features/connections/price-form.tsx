import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';
import type { LoadedPrices } from '#app/features/connections/price-action.server.ts';
import { priceSchema } from '#app/features/connections/price-schema.ts';

/** The prices of a connection's models. */
export function PriceForm({ connection, lastResult }: { connection: LoadedPrices; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('connections');
  const format = useFormats();
  const { base, words } = CONNECTION_AREAS.model;
  const { form, fields } = useAppForm(priceSchema, { lastResult, defaultValue: { model: connection.model } });
  const dollars = (value: number) => format.number(value, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
  return (
    <PageFrame
      title={t('price.title', { name: connection.name })}
      description={t('price.text')}
      breadcrumbs={[
        { label: t(words.title), to: href(base) },
        { label: connection.name, to: href(`${base}/:connection`, { connection: connection.id }) },
      ]}
    >
      <AppForm form={form}>
        <SelectField
          field={fields.model}
          label={t('price.model')}
          placeholder={t('connect.chooseService')}
          options={connection.models.map((name) => ({ value: name, label: name }))}
        />
        <NumberField field={fields.input} label={t('price.input')} unit={t('price.unit')} hint={t('price.emptyHint')} optional />
        <NumberField field={fields.output} label={t('price.output')} unit={t('price.unit')} optional />
        <div>
          <SubmitButton>{t('price.submit')}</SubmitButton>
        </div>
      </AppForm>
      <Section title={t('price.known')}>
        <DataTable
          caption={t('price.known')}
          rows={connection.prices}
          rowKey={(row) => row.model}
          columns={[
            { key: 'model', header: t('price.model'), cell: (row) => <bdi>{row.model}</bdi> },
            { key: 'input', header: t('price.input'), align: 'end', cell: (row) => dollars(row.input) },
            { key: 'output', header: t('price.output'), align: 'end', cell: (row) => dollars(row.output) },
          ]}
          empty={
            <EmptyPart
              title={t('price.none')}
              action={
                <a href={`#${fields.model.id}`} className="text-link inline-block py-0.5">
                  {t('price.enter')}
                </a>
              }
            />
          }
        />
      </Section>
    </PageFrame>
  );
}
