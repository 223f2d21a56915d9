import KeyRound from 'lucide-react/icons/key-round';
import Users from 'lucide-react/icons/users';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PageFrame } from '#app/components/page-frame.tsx';
import { Card } from '#app/components/ui/card.tsx';

/** Where an administrator begins. */
export function AdminPage({ workspace, managesKeys }: { workspace: string; managesKeys: boolean }) {
  const { t } = useTranslation('members');
  return (
    <PageFrame title={t('adminTitle')} description={t('adminDescription', { workspace })}>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <li>
          <Card className="h-full">
            <h2 className="flex items-center gap-2 font-semibold">
              <Users aria-hidden="true" className="size-5 text-muted" />
              <Link to="/dashboard/admin/members" className="text-link py-0.5">
                {t('membersLink')}
              </Link>
            </h2>
            <p className="mt-1.5 text-sm text-muted">{t('membersLinkBody')}</p>
          </Card>
        </li>
        {managesKeys ? (
          <li>
            <Card className="h-full">
              <h2 className="flex items-center gap-2 font-semibold">
                <KeyRound aria-hidden="true" className="size-5 text-muted" />
                <Link to="/dashboard/admin/api-keys" className="text-link py-0.5">
                  {t('apiKeysLink')}
                </Link>
              </h2>
              <p className="mt-1.5 text-sm text-muted">{t('apiKeysLinkBody')}</p>
            </Card>
          </li>
        ) : null}
      </ul>
    </PageFrame>
  );
}
