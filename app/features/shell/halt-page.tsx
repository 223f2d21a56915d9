import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { ProofFields } from '#app/components/form/proof/proof-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { ProofWays } from '#app/contracts/identity.ts';
import { haltSchema, releaseSchema } from '#app/features/shell/halt-schema.ts';
import type { HaltView } from '#app/features/shell/load-halt.server.ts';

/** The emergency stop: its state for everyone, and for administrators the forms to halt and release. */
export function HaltPage({ view, lastResult }: { view: HaltView; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('halt');
  return (
    <PageFrame
      title={t('title')}
      description={t('description')}
      breadcrumbs={[{ label: t('health'), to: href('/dashboard/admin/health') }]}
    >
      {view.halt === null ? <Going view={view} lastResult={lastResult} /> : <Halted view={view} halt={view.halt} lastResult={lastResult} />}
    </PageFrame>
  );
}

function Going({ view, lastResult }: { view: HaltView; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('halt');
  return (
    <>
      <Notice kind="ok" title={t('going.title')}>
        {view.mayHalt ? t('going.text') : t('going.onlyAdmins')}
      </Notice>
      {view.mayHalt ? (
        <Section title={t('halt.title')} description={t('halt.text')}>
          <HaltForm workspaceName={view.workspaceName} ways={view.ways} lastResult={lastResult} />
        </Section>
      ) : null}
    </>
  );
}

function HaltForm({ workspaceName, ways, lastResult }: { workspaceName: string; ways: ProofWays; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('halt');
  const { form, fields } = useAppForm(haltSchema(workspaceName), { lastResult, defaultValue: { command: 'halt' }, id: 'halt' });
  return (
    <AppForm form={form} className="grid max-w-xl gap-6">
      <input type="hidden" name="command" value="halt" />
      <TextAreaField field={fields.reason} label={t('halt.reason')} hint={t('halt.reasonHint')} rows={3} />
      <TextField field={fields.confirmation} label={t('halt.confirmation')} hint={t('halt.confirmationHint', { name: workspaceName })} />
      <ProofFields fields={fields} ways={ways} label={t('password')} hint={t('passwordHint')} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton variant="danger" busyLabel={t('halt.busy')}>
          {t('halt.submit')}
        </SubmitButton>
        <ButtonLink to={href('/dashboard/admin/health')} variant="quiet">
          {t('cancel')}
        </ButtonLink>
      </div>
    </AppForm>
  );
}

function Halted({ view, halt, lastResult }: { view: HaltView; halt: NonNullable<HaltView['halt']>; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('halt');
  return (
    <>
      <DescriptionList
        items={[
          { term: t('halted.at'), description: <RelativeTime at={halt.at} exact /> },
          { term: t('halted.by'), description: <bdi>{halt.by ?? t('halted.someone')}</bdi> },
          {
            term: t('halted.reason'),
            description: (
              <span dir="auto" className="block max-w-measure text-as-parent break-words whitespace-pre-wrap">
                {halt.reason ?? t('halted.noReason')}
              </span>
            ),
          },
        ]}
      />
      <Section title={t('release.title')} description={view.otherApprovers > 0 ? t('release.byApproval') : t('release.alone')}>
        {view.asked === null ? null : <Asked asked={view.asked} />}
        {view.asked === null && !view.mayHalt ? <p className="text-muted">{t('release.onlyAdmins')}</p> : null}
        {(view.asked === null && view.mayHalt) || lastResult !== undefined ? (
          <ReleaseForm asks={view.otherApprovers > 0} ways={view.ways} lastResult={lastResult} />
        ) : null}
      </Section>
    </>
  );
}

function Asked({ asked }: { asked: NonNullable<HaltView['asked']> }) {
  const { t } = useTranslation('halt');
  return (
    <Notice kind="info" title={t('asked.title')}>
      <p>
        {t('asked.since')} <RelativeTime at={asked.at} /> · {t('asked.due')} <RelativeTime at={asked.dueAt} />
      </p>
      <p className="mt-2 flex flex-wrap gap-x-6 gap-y-1">
        <Link className="text-link py-0.5" to={href('/dashboard/approvals/:approval', { approval: asked.id })}>
          {t('asked.open')}
        </Link>
        {asked.mine ? (
          <Link className="text-link py-0.5" to={href('/dashboard/approvals/:approval/withdraw', { approval: asked.id })}>
            {t('asked.withdraw')}
          </Link>
        ) : null}
      </p>
    </Notice>
  );
}

function ReleaseForm({ asks, ways, lastResult }: { asks: boolean; ways: ProofWays; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('halt');
  const { form, fields } = useAppForm(releaseSchema, { lastResult, defaultValue: { command: 'release' }, id: 'release' });
  return (
    <AppForm form={form} className="mt-5 grid max-w-xl gap-6">
      <input type="hidden" name="command" value="release" />
      <TextAreaField field={fields.reason} label={t('release.reason')} hint={t('release.reasonHint')} rows={3} />
      <ProofFields fields={fields} ways={ways} label={t('password')} hint={t('passwordHint')} />
      <div>
        <SubmitButton busyLabel={t('release.busy')}>{asks ? t('release.ask') : t('release.lift')}</SubmitButton>
      </div>
    </AppForm>
  );
}
