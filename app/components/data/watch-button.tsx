import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { Button, type ButtonSize } from '#app/components/ui/button.tsx';

/** `back`: where the answer leads. `named`: what it is about, where several stand beside each other. */
type Props = { kind: 'workflow' | 'run'; id: string; watched: boolean; back: string; size?: ButtonSize; named?: string };

/** Starts or stops telling the reader of what becomes of a workflow or a run. */
export function WatchButton({ kind, id, watched, back, size, named }: Props) {
  const { t } = useTranslation('common');
  const text = t(watched ? 'watch.stop' : 'watch.start');
  return (
    <CommandForm action={href('/dashboard/notifications/watch')} hidden={{ kind, id, watch: watched ? 'off' : 'on', back }}>
      <Button
        variant="secondary"
        {...(size === undefined ? {} : { size })}
        {...(named === undefined ? {} : { 'aria-label': t('watch.named', { text, name: named }) })}
      >
        {text}
      </Button>
    </CommandForm>
  );
}
