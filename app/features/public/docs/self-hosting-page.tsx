import { useTranslation } from 'react-i18next';
import type { SettingRow } from '#app/features/public/docs/load-settings.server.ts';
import { DocsFrame, DocsPart } from '#app/features/public/docs-frame.tsx';
import { CodeSample } from '#app/features/public/frame/code-sample.tsx';
import { PlainTable } from '#app/features/public/frame/plain-table.tsx';

type Props = { settings: readonly SettingRow[]; postgres: string; supabase: string; secret: string };

const SCRAPE = `scrape_configs:
  - job_name: quorate
    authorization:
      credentials_file: /etc/prometheus/quorate-token
    static_configs:
      - targets: [localhost:3000]`;

/** Self-hosting: embedded, on a PostgreSQL of one's own or on Supabase, with every setting. */
export function DocsSelfHostingPage({ settings, postgres, supabase, secret }: Props) {
  const { t } = useTranslation('docs');
  return (
    <DocsFrame title={t('hosting.title')} lead={t('hosting.lead')}>
      <DocsPart title={t('hosting.embedded.title')}>
        <p>{t('hosting.embedded.text')}</p>
        <CodeSample label={t('hosting.embedded.title')} code="npm ci && npm start" />
      </DocsPart>
      <DocsPart title={t('hosting.postgres.title')}>
        <p>{t('hosting.postgres.text')}</p>
        <CodeSample label={t('hosting.postgres.title')} code={postgres} />
      </DocsPart>
      <DocsPart title={t('hosting.supabase.title')}>
        <p>{t('hosting.supabase.text')}</p>
        <CodeSample label={t('hosting.supabase.title')} code={supabase} />
      </DocsPart>
      <DocsPart title={t('hosting.workers.title')}>
        <p>{t('hosting.workers.text')}</p>
        <CodeSample label={t('hosting.workers.title')} code="npm run worker" />
      </DocsPart>
      <DocsPart title={t('hosting.check.title')}>
        <p>{t('hosting.check.text')}</p>
        <CodeSample label={t('hosting.check.title')} code="npm run doctor" />
      </DocsPart>
      <DocsPart title={t('hosting.watch.title')}>
        <p>{t('hosting.watch.text')}</p>
        <p>{t('hosting.watch.figures')}</p>
        <CodeSample label={t('hosting.watch.title')} code={SCRAPE} />
        <p>
          {t('hosting.watch.files')}{' '}
          <a className="text-link" href="/monitoring/alerts.yml">
            {t('hosting.watch.alerts')}
          </a>
          ,{' '}
          <a className="text-link" href="/monitoring/dashboard.json">
            {t('hosting.watch.dashboard')}
          </a>
        </p>
      </DocsPart>
      <DocsPart title={t('hosting.backup.title')}>
        <p>{t('hosting.backup.text', { setting: secret })}</p>
      </DocsPart>
      <DocsPart id="settings" title={t('hosting.settings.title')}>
        <p>{t('hosting.settings.text')}</p>
        <PlainTable
          label={t('hosting.settings.title')}
          columns={[t('hosting.settings.name'), t('hosting.settings.fallback'), t('hosting.settings.meaning')]}
          rows={settings.map(({ name, text, fallback }) => ({
            key: name,
            cells: [
              <code key="name" dir="ltr" className="text-xs">
                {name}
              </code>,
              fallback === '' ? (
                t('hosting.settings.none')
              ) : (
                <code key="fallback" dir="ltr" className="text-xs whitespace-nowrap">
                  {fallback}
                </code>
              ),
              t(`hosting.settings.${text}`),
            ],
          }))}
        />
      </DocsPart>
    </DocsFrame>
  );
}
