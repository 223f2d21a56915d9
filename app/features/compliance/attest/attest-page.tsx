import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ATTESTED_MONTHS } from '#app/domain/audit/attestation.ts';
import type { LoadedAttest } from '#app/features/compliance/attest/attest.server.ts';
import { attestSchema } from '#app/features/compliance/attest/attest-schema.ts';

type Props = { loaded: LoadedAttest; lastResult: FormResult | undefined };

/** Attests that a control operates, beside what was attested before. */
export function AttestPage({ loaded, lastResult }: Props) {
  const { t } = useTranslation('compliance');
  const { control } = loaded;
  return (
    <PageFrame
      title={t('attest.title', { control: t(`control.${control}`) })}
      description={t(`rule.${control}`)}
      breadcrumbs={[
        { label: t('policies'), to: href('/dashboard/policies') },
        { label: t('title'), to: href('/dashboard/policies/compliance') },
      ]}
    >
      <AttestForm loaded={loaded} lastResult={lastResult} />
      <Section title={t('attest.earlier')}>
        <Earlier loaded={loaded} />
      </Section>
    </PageFrame>
  );
}

function AttestForm({ loaded, lastResult }: Props) {
  const { t } = useTranslation('compliance');
  const { form, fields } = useAppForm(attestSchema, { lastResult, defaultValue: { months: String(loaded.months) }, id: 'attest' });
  return (
    <AppForm form={form} className="grid max-w-2xl gap-6">
      <p className="max-w-measure">
        {t('attest.text')}{' '}
        <Link className="text-link inline-block py-0.5" to={loaded.evidence}>
          {t('attest.look')}
        </Link>
      </p>
      <TextAreaField field={fields.note} label={t('attest.note')} hint={t('attest.noteHint')} />
      <SelectField
        field={fields.months}
        label={t('attest.months')}
        hint={t('attest.monthsHint')}
        options={ATTESTED_MONTHS.map((count) => ({ value: String(count), label: t('attest.monthCount', { count }) }))}
      />
      <div>
        <SubmitButton busyLabel={t('attest.busy')}>{t('attest.submit')}</SubmitButton>
      </div>
    </AppForm>
  );
}

function Earlier({ loaded }: { loaded: LoadedAttest }) {
  const { t } = useTranslation('compliance');
  return (
    <DataTable
      caption={t('attest.earlier')}
      rows={loaded.earlier}
      rowKey={(row) => row.id}
      empty={<EmptyPart title={t('attest.none')} />}
      columns={[
        { key: 'at', header: t('attest.at'), cell: (row) => <RelativeTime at={row.at} exact /> },
        { key: 'by', header: t('attest.by'), cell: (row) => <bdi>{row.by ?? t('attest.formerMember')}</bdi> },
        {
          key: 'until',
          header: t('attest.until'),
          cell: (row) => (
            <>
              <RelativeTime at={row.until} exact /> {row.stale ? <Badge tone="attention">{t('attest.stale')}</Badge> : null}
            </>
          ),
        },
        { key: 'note', header: t('attest.note'), minor: true, cell: (row) => <span dir="auto">{row.note}</span> },
      ]}
    />
  );
}
