import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';

/** The question before an agent is deleted. */
export function DeleteAgentPage({ agent }: { agent: { id: string; name: string } }) {
  const { t } = useTranslation('agents');
  const back = href('/dashboard/agents/authored/:agent', { agent: agent.id });
  return (
    <PageFrame
      title={t('delete.title', { name: agent.name })}
      breadcrumbs={[
        { label: t('list.mineTitle'), to: href('/dashboard/agents') },
        { label: agent.name, to: back },
      ]}
    >
      <div className="grid max-w-measure gap-6">
        <p className="text-lg">{t('delete.question')}</p>
        <p className="text-muted">{t('delete.consequence')}</p>
        <CommandForm hidden={{}} className="flex flex-wrap gap-3">
          <Button variant="danger">{t('delete.confirm')}</Button>
          <ButtonLink to={back} variant="quiet">
            {t('delete.keep')}
          </ButtonLink>
        </CommandForm>
      </div>
    </PageFrame>
  );
}
