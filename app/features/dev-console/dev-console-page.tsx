import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { CopiedCode } from '#app/components/value/copy/copied.tsx';
import type { LoadedDevConsole } from '#app/features/dev-console/load-dev-console.server.ts';

/** Addresses for programs, recent calls, and the keys they use. */
export function DevConsolePage({ view }: { view: LoadedDevConsole }) {
  const { t } = useTranslation('devConsole');
  return (
    <PageFrame
      title={t('title')}
      description={t('description')}
      actions={
        view.inspects ? (
          <ButtonLink to={href('/dashboard/dev-console/inspector')} variant="primary">
            {t('inspector.open')}
          </ButtonLink>
        ) : undefined
      }
    >
      <Section title={t('addresses.title')} description={t('addresses.body')}>
        <DescriptionList
          items={[
            {
              term: t('addresses.api'),
              description: (
                <>
                  <Address value={view.addresses.api} />
                  <a href={href('/api/v1/openapi.json')} className="text-link block py-1">
                    {t('addresses.openApi')}
                  </a>
                </>
              ),
            },
            {
              term: t('addresses.mcp'),
              description: (
                <>
                  <Address value={view.addresses.mcp} />
                  <span className="block text-sm text-muted">{t('addresses.mcpBody')}</span>
                </>
              ),
            },
            {
              term: t('addresses.a2a'),
              description: (
                <>
                  <Address value={view.addresses.a2a} />
                  <span className="block text-sm text-muted">{t('addresses.a2aBody')}</span>
                </>
              ),
            },
          ]}
        />
      </Section>
      <Served view={view} />
      {view.sees ? <Webhooks view={view} /> : null}
      <Section
        title={t('keys.title')}
        description={t('keys.body')}
        actions={<ButtonLink to={href('/dashboard/account/api-keys')}>{t('keys.manage')}</ButtonLink>}
      >
        <DataTable
          caption={t('keys.title')}
          rows={view.keys}
          rowKey={(key) => key.id}
          empty={
            <EmptyState
              title={t('keys.empty')}
              action={<ButtonLink to={href('/dashboard/account/api-keys/new')}>{t('keys.make')}</ButtonLink>}
            />
          }
          columns={[
            {
              key: 'name',
              header: t('keys.name'),
              cell: (key) => (
                <>
                  <bdi>{key.name}</bdi>
                  <code dir="ltr" className="block text-xs font-normal text-muted">
                    {key.prefix}…
                  </code>
                </>
              ),
            },
            {
              key: 'scopes',
              header: t('keys.scopes'),
              cell: (key) => (
                <span className="flex flex-wrap gap-1">
                  {key.scopes.map((scope) => (
                    <Badge key={scope}>
                      <span dir="ltr">{scope}</span>
                    </Badge>
                  ))}
                </span>
              ),
            },
            {
              key: 'used',
              header: t('keys.lastUsed'),
              cell: (key) => (key.lastUsedAt === null ? t('keys.never') : <RelativeTime at={key.lastUsedAt} />),
            },
          ]}
        />
      </Section>
    </PageFrame>
  );
}

/** The workflows in force by the names that MCP and A2A know them by. */
function Served({ view }: { view: LoadedDevConsole }) {
  const { t } = useTranslation('devConsole');
  return (
    <Section
      title={t('served.title')}
      description={t('served.body')}
      actions={<ButtonLink to={href('/dashboard/workflows')}>{t('served.all')}</ButtonLink>}
    >
      <DataTable
        caption={t('served.title')}
        rows={view.served}
        rowKey={(row) => row.id}
        empty={
          <EmptyState
            title={t('served.empty')}
            action={<ButtonLink to={href('/dashboard/workflows')}>{t('served.toWorkflows')}</ButtonLink>}
          />
        }
        columns={[
          {
            key: 'workflow',
            header: t('served.workflow'),
            cell: (row) => (
              <Link to={href('/dashboard/workflows/:workflow', { workflow: row.id })} className="text-link inline-block py-1">
                <bdi>{row.name}</bdi>
              </Link>
            ),
          },
          {
            key: 'tool',
            header: t('served.tool'),
            cell: (row) => (
              <span className="whitespace-nowrap">
                <Address value={row.tool} />
              </span>
            ),
          },
          {
            key: 'card',
            header: t('served.card'),
            cell: (row) => (
              <span className="block min-w-80">
                <Address value={row.card} />
              </span>
            ),
          },
        ]}
      />
    </Section>
  );
}

function Address({ value }: { value: string }) {
  return <CopiedCode text={value} name={value} />;
}

function Webhooks({ view }: { view: LoadedDevConsole }) {
  const { t } = useTranslation('devConsole');
  const format = useFormats();
  return (
    <Section title={t('webhooks.title')} description={t('webhooks.body')}>
      <DataTable
        caption={t('webhooks.title')}
        rows={view.webhooks}
        rowKey={(row) => row.id}
        empty={
          <EmptyState
            title={t('webhooks.empty')}
            description={t('webhooks.emptyHint')}
            action={<ButtonLink to={href('/dashboard/notifications/preferences')}>{t('webhooks.setUp')}</ButtonLink>}
          />
        }
        columns={[
          {
            key: 'target',
            header: t('webhooks.target'),
            cell: (row) => (
              <>
                <bdi dir="ltr" className="wrap-anywhere">
                  {row.target}
                </bdi>
                {row.lastError === null ? null : <bdi className="block text-muted">{row.lastError}</bdi>}
              </>
            ),
          },
          { key: 'status', header: t('webhooks.status'), cell: (row) => <StatusWord status={row.status} /> },
          { key: 'attempts', header: t('webhooks.attempts'), align: 'end', cell: (row) => format.number(row.attempts) },
          { key: 'created', header: t('webhooks.queued'), cell: (row) => <RelativeTime at={row.createdAt} /> },
          {
            key: 'next',
            header: t('webhooks.nextAttempt'),
            cell: (row) => (row.nextAttemptAt === null ? '–' : <RelativeTime at={row.nextAttemptAt} />),
          },
          ...(view.sends
            ? [
                {
                  key: 'actions',
                  header: t('webhooks.actions'),
                  align: 'end' as const,
                  cell: (row: LoadedDevConsole['webhooks'][number]) => (
                    <CommandForm hidden={{ delivery: row.id }}>
                      <SubmitButton variant="quiet" size="small">
                        {t('webhooks.sendAgain')}
                      </SubmitButton>
                    </CommandForm>
                  ),
                },
              ]
            : []),
        ]}
      />
      {view.next === null && !view.paged ? null : (
        <p className="mt-4 flex flex-wrap gap-4">
          {view.paged ? (
            <Link to={href('/dashboard/dev-console')} className="text-link inline-block py-1">
              {t('webhooks.newest')}
            </Link>
          ) : null}
          {view.next === null ? null : (
            <Link to={`${href('/dashboard/dev-console')}?before=${view.next}`} className="text-link inline-block py-1">
              {t('webhooks.older')}
            </Link>
          )}
        </p>
      )}
    </Section>
  );
}
