import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import type { Breadcrumb } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { Role } from '#app/contracts/people.ts';

/** Whom a gateway is for, in words. */
export function useAudience(): (roles: readonly Role[]) => string {
  const { t } = useTranslation(['gateways', 'members']);
  const format = useFormats();
  return (roles) => (roles.length === 0 ? t('everyone') : format.list(roles.map((role) => t(`members:role.${role}`))));
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
