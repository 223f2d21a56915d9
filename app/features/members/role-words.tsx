import { useTranslation } from 'react-i18next';
import type { Option } from '#app/components/form/choice-fields.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ROLES, type Role } from '#app/contracts/people.ts';

/** The roles of someone, each a chip. */
export function RoleWords({ roles }: { roles: readonly Role[] }) {
  const { t } = useTranslation('members');
  return (
    <span className="flex flex-wrap gap-1">
      {roles.map((role) => (
        <Badge key={role} tone={role === 'admin' ? 'accent' : 'neutral'}>
          {t(`role.${role}`)}
        </Badge>
      ))}
    </span>
  );
}

/** All roles as choices, each with its permissions. */
export function useRoleOptions(): Option[] {
  const { t } = useTranslation('members');
  return ROLES.map((role) => ({ value: role, label: t(`role.${role}`), hint: t(`roleHint.${role}`) }));
}
