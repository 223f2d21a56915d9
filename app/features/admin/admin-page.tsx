import type { LucideIcon } from 'lucide-react';
import Activity from 'lucide-react/icons/activity';
import Building from 'lucide-react/icons/building-2';
import CreditCard from 'lucide-react/icons/credit-card';
import Gauge from 'lucide-react/icons/gauge';
import HeartPulse from 'lucide-react/icons/heart-pulse';
import KeyRound from 'lucide-react/icons/key-round';
import LockKeyhole from 'lucide-react/icons/lock-keyhole';
import Mail from 'lucide-react/icons/mail';
import OctagonX from 'lucide-react/icons/octagon-x';
import Users from 'lucide-react/icons/users';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Card } from '#app/components/ui/card.tsx';
import type { AdminAreaKey } from '#app/features/admin/admin-areas.ts';
import type { AdminHome } from '#app/features/admin/load-admin-home.server.ts';

const ICONS: Record<AdminAreaKey, LucideIcon> = {
  tenant: Building,
  members: Users,
  apiKeys: KeyRound,
  billing: CreditCard,
  security: LockKeyhole,
  health: HeartPulse,
  monitoring: Activity,
  performance: Gauge,
  halt: OctagonX,
  contact: Mail,
};

/** Where an administrator begins: every area that the member's roles open, each with a line on what it is for. */
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
