import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { ExportFacts } from '#app/components/data/export-facts.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { askSchema } from '#app/features/audit/exports/ask-schema.ts';
import type { LoadedExport } from '#app/features/audit/exports/load-export.server.ts';
import { VerifierLinks } from '#app/features/audit/verifier-links.tsx';

type Asked = Exclude<LoadedExport, { asked: null }>;

/** Evidence on its way out: what it is, whether another person agreed, and the files. */
export function ExportPage({ loaded, lastResult }: { loaded: LoadedExport; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('audit');
  return (
    <PageFrame
      title={t('export.title')}
      description={t('export.description')}
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/audit') }]}
    >
      {loaded.asked === null ? (
        <NothingAsked />
      ) : (
        <>
          <ExportFacts asked={loaded.asked} />
          <State loaded={loaded} lastResult={lastResult} />
        </>
      )}
    </PageFrame>
  );
}

function NothingAsked() {
  const { t } = useTranslation('audit');
  return (
    <EmptyState
      title={t('export.empty')}
      description={t('export.emptyText')}
      action={
        <>
          <ButtonLink to={href('/dashboard/audit/packs')}>{t('links.packs')}</ButtonLink>
          <ButtonLink to={href('/dashboard/audit/checkpoints')}>{t('links.checkpoints')}</ButtonLink>
        </>
      }
    />
  );
}

function State({ loaded, lastResult }: { loaded: Asked; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('audit');
  const { state } = loaded;
  switch (state.state) {
    case 'ask':
      return <AskForm lastResult={lastResult} />;
    case 'waiting':
      return (
        <div className="mt-6">
          <Notice kind="info" title={t('export.waiting')}>
            <p>
              {t('export.due')} <RelativeTime at={state.dueAt} />
            </p>
            <p>
              <Link className="text-link py-0.5" to={href('/dashboard/changes/:change', { change: state.change })}>
                {t('export.request')}
              </Link>
            </p>
          </Notice>
        </div>
      );
    case 'alone':
      return (
        <>
          <div className="mt-6">
            <Notice kind="attention" title={t('export.aloneTitle')}>
              {t('export.aloneText')}
            </Notice>
          </div>
          <Files loaded={loaded} />
        </>
      );
    case 'granted':
      return (
        <>
          <div className="mt-6">
            <Notice kind="ok" title={t('export.granted')}>
              <p>
                {t('export.until')} <RelativeTime at={state.endsAt} exact />
              </p>
              <p>
                <Link className="text-link py-0.5" to={href('/dashboard/changes/:change', { change: state.change })}>
                  {t('export.request')}
                </Link>
              </p>
            </Notice>
          </div>
          <Files loaded={loaded} />
        </>
      );
  }
}

function AskForm({ lastResult }: { lastResult: FormResult | undefined }) {
  const { t } = useTranslation(['audit', 'control']);
  const { form, fields } = useAppForm(askSchema, { lastResult, defaultValue: { reason: '' }, id: 'export' });
  return (
    <Section title={t('export.ask')} description={t('export.askText')}>
      <AppForm form={form} className="grid max-w-xl gap-6">
        <TextAreaField field={fields.reason} label={t('control:ask.reason')} hint={t('control:ask.reasonHint')} rows={3} />
        <div>
          <SubmitButton busyLabel={t('control:ask.busy')}>{t('export.submit')}</SubmitButton>
        </div>
      </AppForm>
    </Section>
  );
}

function Files({ loaded: { asked, files } }: { loaded: Asked }) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const nameOf = (file: string) => (asked.kind === 'log' ? t('export.entriesFrom', { from: formats.number(Number(file)) }) : file);
  return (
    <Section title={t('export.files')} description={t('export.filesText')}>
      <ul className="grid gap-1">
        {files.open.map(({ name, address }) => (
          <li key={name}>
            {/* Without `download`: a refusal leads to the page that says why, not into a file. */}
            <a className="text-link py-0.5" href={address}>
              <bdi>{nameOf(name)}</bdi>
            </a>
          </li>
        ))}
        {files.taken.map((name) => (
          <li key={name} className="flex flex-wrap gap-x-2 text-muted">
            <bdi>{nameOf(name)}</bdi>
            <span>{t('export.taken')}</span>
          </li>
        ))}
      </ul>
      {asked.kind === 'table' ? null : (
        <div className="mt-6">
          <p className="mb-2 max-w-measure text-sm text-muted">{t('verify.offline')}</p>
          <VerifierLinks />
        </div>
      )}
    </Section>
  );
}
