import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ROLES, type Role } from '#app/contracts/people.ts';
import { can, PERMISSIONS, type Permission } from '#app/domain/people/roles.ts';
import type { Guide } from '#app/features/help/guides.ts';

/** Guides as cards: first those to what the reader may do. */
export function GuideList({ guides, roles }: { guides: readonly Guide[]; roles: readonly Role[] }) {
  const { t } = useTranslation('help');
  const mine = guides.filter(({ permission }) => can(roles, permission));
  const others = guides.filter(({ permission }) => !can(roles, permission));
  return (
    <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 sm:gap-4 xl:grid-cols-3">
      {[...mine, ...others].map((guide) => (
        <li
          key={guide.id}
          className="relative flex flex-col rounded-lg border border-line bg-surface p-3 sm:p-4 focus-within:border-edge hover:border-edge"
        >
          <Link
            to={href('/dashboard/help/:guide', { guide: guide.slug })}
            className="text-link font-semibold after:absolute after:inset-0 after:rounded-lg"
          >
            {t(`guides.${guide.id}.title`)}
          </Link>
          <p className="mt-0.5 mb-2 text-sm sm:mt-1 sm:mb-3 text-muted">{t(`guides.${guide.id}.summary`)}</p>
          <p className="mt-auto">
            <Badge>
              <WhoMay permission={guide.permission} />
            </Badge>
          </p>
        </li>
      ))}
    </ul>
  );
}

/** The roles that carry a permission, in words; 'Everyone' for all of them. */
export function WhoMay({ permission }: { permission: Permission }) {
  const { t } = useTranslation(['help', 'members']);
  const { list } = useFormats();
  const roles: readonly Role[] = PERMISSIONS[permission];
  return roles.length === ROLES.length ? t('help:everybody') : list(roles.map((role) => t(`members:role.${role}`)));
}
