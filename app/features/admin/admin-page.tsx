import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { IconComponent } from '#app/components/icon/create-icon.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Card } from '#app/components/ui/card.tsx';
import type { AdminAreaKey } from '#app/features/admin/admin-areas.ts';
import type { AdminHome } from '#app/features/admin/load-admin-home.server.ts';
import Activity from '~icons/activity';
import Building from '~icons/building-complex';
import CreditCard from '~icons/credit-card';
import Gauge from '~icons/gauge';
import HeartPulse from '~icons/heart-pulse';
import IdCard from '~icons/id-card';
import KeyRound from '~icons/key-round';
import LockKeyhole from '~icons/lock-keyhole';
import Mail from '~icons/mail';
import OctagonX from '~icons/octagon-x';
import UserCheck from '~icons/user-check';
import Users from '~icons/users';

const ICONS: Record<AdminAreaKey, IconComponent> = {
  tenant: Building,
  members: Users,
  provisioning: UserCheck,
  signIn: IdCard,
  apiKeys: KeyRound,
  billing: CreditCard,
  security: LockKeyhole,
  health: HeartPulse,
  monitoring: Activity,
  performance: Gauge,
  halt: OctagonX,
  contact: Mail,
};

/** The home of administration: every area that the member's roles open, each with a line on its purpose. */
export function AdminPage({ home }: { home: AdminHome }) {
  const { t } = useTranslation('admin');
  return (
    <PageFrame title={t('title')} description={t('description', { workspace: home.workspace })}>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {home.areas.map(({ key, to }) => {
          const Icon = ICONS[key];
          return (
            <li key={key}>
              <Card className="h-full">
                <h2 className="flex items-center gap-2 font-semibold">
                  <Icon aria-hidden="true" className="size-5 shrink-0 text-muted" />
                  <Link to={to} className="text-link py-0.5">
                    {t(`area.${key}`)}
                  </Link>
                </h2>
                <p className="mt-1.5 text-sm text-muted">{t(`areaBody.${key}`)}</p>
              </Card>
            </li>
          );
        })}
      </ul>
    </PageFrame>
  );
}
