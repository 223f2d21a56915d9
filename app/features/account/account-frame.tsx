import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, NavLink } from 'react-router';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ACCOUNT_AREAS } from '#app/features/account/account-areas.ts';

/** A screen of the account: its heading, and the way to the other ones. */
export function AccountFrame({
  title,
  description,
  actions,
  children,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation('account');
  return (
    <PageFrame
      title={title}
      description={description}
      actions={actions}
      breadcrumbs={[{ label: t('title'), to: href('/dashboard/account') }]}
    >
      <nav aria-label={t('areasLabel')} className="mb-8 border-b border-line">
        <ul className="-mb-px flex flex-wrap gap-x-6">
          {ACCOUNT_AREAS.map(({ key, to }) => (
            <li key={key}>
              <NavLink
                to={to}
                className="inline-flex min-h-11 items-center border-b-2 border-transparent font-semibold text-muted hover:border-edge hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
              >
                {t(`area.${key}`)}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      {/* A box of its own, so that the first part below is ruled off once. */}
      <div>{children}</div>
    </PageFrame>
  );
}
