import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { useGatewayCrumbs } from '#app/features/connections/gateways/gateway-words.ts';

type Named = { id: string; name: string };

/** The question before a gateway is deleted. */
export function DeleteGatewayPage({ gateway }: { gateway: Named }) {
  const { t } = useTranslation('gateways');
  return (
    <PageFrame title={t('delete.title', { name: gateway.name })} description={t('delete.text')} breadcrumbs={useGatewayCrumbs(gateway)}>
      <CommandForm hidden={{}} className="flex flex-wrap gap-3">
        <SubmitButton variant="danger" busyLabel={t('delete.busy')}>
          {t('delete.submit')}
        </SubmitButton>
        <ButtonLink variant="secondary" to={href('/dashboard/plugins/gateways/:gateway', { gateway: gateway.id })}>
          {t('delete.keep')}
        </ButtonLink>
      </CommandForm>
    </PageFrame>
  );
}

/** The question before a tool is taken out of a gateway. */
export function RemoveToolPage({ gateway, tool }: { gateway: Named; tool: Named }) {
  const { t } = useTranslation('gateways');
  return (
    <PageFrame title={t('remove.title', { name: tool.name })} description={t('remove.text')} breadcrumbs={useGatewayCrumbs(gateway)}>
      <CommandForm hidden={{}} className="flex flex-wrap gap-3">
        <SubmitButton variant="danger" busyLabel={t('remove.busy')}>
          {t('remove.submit')}
        </SubmitButton>
        <ButtonLink
          variant="secondary"
          to={href('/dashboard/plugins/gateways/:gateway/tools/:tool', { gateway: gateway.id, tool: tool.id })}
        >
          {t('remove.keep')}
        </ButtonLink>
      </CommandForm>
    </PageFrame>
  );
}
