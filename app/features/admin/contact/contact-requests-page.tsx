import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { ContactList } from '#app/features/admin/contact/load-contact-requests.server.ts';
import { useAdminCrumbs } from '#app/features/admin/use-admin-crumbs.ts';

const ADDRESS = href('/dashboard/admin/contact-requests');
const STATES = ['new', 'answered', 'all'] as const;

/** Messages of visitors to the operator, and whether they were answered. */
export function ContactRequestsPage({ list }: { list: ContactList }) {
  const { t } = useTranslation('admin');
  const { state, rows, next } = list;
  return (
    <PageFrame title={t('contact.title')} description={t('contact.description')} breadcrumbs={useAdminCrumbs()}>
      <nav aria-label={t('contact.show')} className="mb-4">
        <ul className="flex flex-wrap gap-2">
          {STATES.map((each) => (
            <li key={each}>
              <ButtonLink
                size="small"
                variant={each === state ? 'primary' : 'secondary'}
                to={each === 'new' ? ADDRESS : `${ADDRESS}?state=${each}`}
                {...(each === state ? { 'aria-current': 'page' as const } : {})}
              >
                {t(`contact.states.${each}`)}
              </ButtonLink>
            </li>
          ))}
        </ul>
      </nav>
      <DataTable
        caption={t('contact.title')}
        rows={rows}
        rowKey={(row) => row.id}
        empty={<EmptyState title={t('contact.empty')} description={t('contact.emptyHint')} />}
        columns={[
          {
            key: 'topic',
            header: t('contact.topic'),
            cell: (row) => (
              <Link className="text-link" to={href('/dashboard/admin/contact-requests/:request', { request: row.id })}>
                {t(`contact.topics.${row.topic}`)}
              </Link>
            ),
          },
          { key: 'name', header: t('contact.name'), cell: (row) => <bdi className="break-words">{row.name}</bdi> },
          {
            key: 'company',
            header: t('contact.company'),
            cell: (row) => (row.company === '' ? '–' : <bdi className="break-words">{row.company}</bdi>),
          },
          { key: 'created', header: t('contact.received'), cell: (row) => <RelativeTime at={row.createdAt} /> },
          { key: 'state', header: t('contact.state'), cell: (row) => <ContactState answered={row.answered} /> },
        ]}
      />
      {next === null ? null : (
        <p className="mt-4">
          <ButtonLink to={`${ADDRESS}?${new URLSearchParams({ ...(state === 'new' ? {} : { state }), before: next })}`}>
            {t('contact.older')}
          </ButtonLink>
        </p>
      )}
    </PageFrame>
  );
}

export function ContactState({ answered }: { answered: boolean }) {
  const { t } = useTranslation('admin');
  return <Badge tone={answered ? 'ok' : 'attention'}>{t(answered ? 'contact.states.answered' : 'contact.states.new')}</Badge>;
}
