import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import type { Breadcrumb } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { Role } from '#app/contracts/people.ts';

type Audience = { roles: readonly Role[]; groups: readonly string[]; programs: readonly string[] };

/** Whom a gateway is for, in words. */
export function useAudience(): (gateway: Audience) => string {
  const { t } = useTranslation(['gateways', 'members']);
  const format = useFormats();
  return ({ roles, groups, programs }) => {
    const named = roles.map((role) => t(`members:role.${role}`));
    const people = groups.length === 0 ? named : [...named, t('forGroups', { count: groups.length })];
    const whose = people.length === 0 ? t('everyone') : format.list(people);
    return programs.length === 0 ? whose : `${whose} · ${t('onlyPrograms', { count: programs.length })}`;
  };
}

/** The way back from a page below a gateway; without one, from a page of the list. */
export function useGatewayCrumbs(gateway?: { id: string; name: string }): Breadcrumb[] {
  const { t } = useTranslation('gateways');
  return [
    { label: t('plugins'), to: href('/dashboard/plugins') },
    { label: t('title'), to: href('/dashboard/plugins/gateways') },
    ...(gateway === undefined ? [] : [{ label: gateway.name, to: href('/dashboard/plugins/gateways/:gateway', { gateway: gateway.id }) }]),
  ];
}
