import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { EmptyPart, EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { lastDay } from '#app/domain/web/last-day.ts';
import { DeputyForm } from '#app/features/approvals/deputies/deputy-form.tsx';
import type { LoadedDeputies } from '#app/features/approvals/deputies/load-deputies.server.ts';

/** The named deputies, and the form that names one. */
export function DeputiesPage({ deputies, lastResult }: { deputies: LoadedDeputies; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('approvals');
  return (
    <PageFrame
      title={t('deputies.title')}
      description={t('deputies.description')}
      breadcrumbs={[{ label: t('inbox.title'), to: href('/dashboard/approvals') }]}
    >
      <Section title={t('deputies.nameTitle')}>
        {deputies.users.length === 0 ? (
          <EmptyPart
            title={t('deputies.notNeeded')}
            action={
              <Link to={href('/dashboard/approvals')} className="text-link inline-block py-0.5">
                {t('desk.all')}
              </Link>
            }
          />
        ) : deputies.approvers.length < 2 ? (
          <EmptyPart
            title={t('deputies.noOthers')}
            action={
              <Link to={href('/dashboard/approvals')} className="text-link inline-block py-0.5">
                {t('desk.all')}
              </Link>
            }
          />
        ) : (
          <DeputyForm key={deputies.id} deputies={deputies} lastResult={lastResult} />
        )}
      </Section>
      <Section title={t('deputies.listTitle')}>
        {deputies.rows.length === 0 ? (
          <EmptyState title={t('deputies.empty')} />
        ) : (
          <ul aria-label={t('deputies.listTitle')} className="max-w-3xl divide-y divide-line rounded-lg border border-line bg-surface">
            {deputies.rows.map((row) => (
              <DeputyRow key={row.id} row={row} />
            ))}
          </ul>
        )}
      </Section>
    </PageFrame>
  );
}

function DeputyRow({ row: { id, name, deputy, reason, isNow, time, mayEnd } }: { row: LoadedDeputies['rows'][number] }) {
  const { t } = useTranslation('approvals');
  const formats = useFormats();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="me-auto min-w-0">
        <p className="font-semibold break-words">{t('deputies.row', { name, deputy })}</p>
        <p className="text-sm text-muted">
          {time === null
            ? t('deputies.standing', { name })
            : t(isNow ? 'deputies.timeNow' : 'deputies.time', { from: formats.date(time.from), until: formats.date(lastDay(time.until)) })}
        </p>
        {reason === '' ? null : <bdi className="block text-sm text-as-parent break-words">{reason}</bdi>}
      </div>
      {mayEnd ? (
        <CommandForm hidden={{ end: id }}>
          <SubmitButton size="small" variant="secondary">
            {t('deputies.end')}
            <span className="sr-only"> ({t('deputies.row', { name, deputy })})</span>
          </SubmitButton>
        </CommandForm>
      ) : null}
    </li>
  );
}
