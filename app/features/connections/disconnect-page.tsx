import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import { CONNECTION_AREAS } from '#app/features/connections/connection-area.ts';

/** The question before a connection ends. */
export function DisconnectPage({ connection }: { connection: { kind: ConnectionKind; id: string; name: string } }) {
  const { t } = useTranslation('connections');
  const { base, words } = CONNECTION_AREAS[connection.kind];
  const back = href(`${base}/:connection`, { connection: connection.id });
  return (
    <PageFrame
      title={t('disconnect.title', { name: connection.name })}
      description={t('disconnect.text')}
      breadcrumbs={[
        { label: t(words.title), to: href(base) },
        { label: connection.name, to: back },
      ]}
    >
      <CommandForm hidden={{}} className="flex flex-wrap gap-3">
        <SubmitButton variant="danger" busyLabel={t('disconnect.busy')}>
          {t('disconnect.submit')}
        </SubmitButton>
        <ButtonLink variant="secondary" to={back}>
          {t('disconnect.keep')}
        </ButtonLink>
      </CommandForm>
    </PageFrame>
  );
}
