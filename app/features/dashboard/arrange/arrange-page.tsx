import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import type { ArrangedPanel, PanelSide } from '#app/features/dashboard/panels.ts';
import ArrowDown from '~icons/arrow-down';
import ArrowUp from '~icons/arrow-up';

/** Which panels stand on the dashboard, and in what order: one form, each button of which keeps all of it. */
export function ArrangePage({ panels }: { panels: readonly ArrangedPanel[] }) {
  const { t } = useTranslation('dashboard');
  const pressed = useFocusThatMoves(panels);
  return (
    <PageFrame title={t('arrange.title')} description={t('arrange.text')} breadcrumbs={[{ label: t('title'), to: href('/dashboard') }]}>
      <Form method="post" preventScrollReset className="grid gap-8">
        <WorkspaceInput />
        {/* Enter in a field presses the first button of a form: that saves and moves nothing. */}
        <button type="submit" className="sr-only" tabIndex={-1} aria-hidden="true" />
        <div className="grid gap-8 lg:grid-cols-2">
          {(['start', 'end'] as const).map((side) => (
            <PanelList
              key={side}
              side={side}
              panels={panels.filter((panel) => panel.side === side)}
              onMove={(button) => {
                pressed.current = button;
              }}
            />
          ))}
        </div>
        <div className="flex flex-wrap gap-3">
          <Button variant="primary">{t('arrange.save')}</Button>
          <ButtonLink to={href('/dashboard')}>{t('arrange.cancel')}</ButtonLink>
          <Button name="restore" value="on" variant="quiet">
            {t('arrange.restore')}
          </Button>
        </div>
      </Form>
    </PageFrame>
  );
}

/** A moved panel takes the focus of its button along; at either end the other button has it. */
function useFocusThatMoves(panels: readonly ArrangedPanel[]) {
  const pressed = useRef<HTMLButtonElement | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the order has changed
  useLayoutEffect(() => {
    const button = pressed.current;
    pressed.current = null;
    if (button === null) return;
    const other = [...(button.closest('li')?.querySelectorAll<HTMLButtonElement>('button[name=move]') ?? [])].find((one) => !one.disabled);
    (button.disabled ? other : button)?.focus({ preventScroll: true });
  }, [panels]);
  return pressed;
}

const TITLES = {
  firstDay: 'steps.title',
  waiting: 'waiting.title',
  myRuns: 'myRuns.title',
  drafts: 'drafts.title',
  errors: 'errors.title',
  since: 'since.title',
  days: 'days.title',
  newest: 'runs.title',
  changes: 'changes.title',
  health: 'health.title',
} as const;

type ListProps = { side: PanelSide; panels: readonly ArrangedPanel[]; onMove: (button: HTMLButtonElement) => void };

function PanelList({ side, panels, onMove }: ListProps) {
  const { t } = useTranslation('dashboard');
  const named = useNamed();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 text-lg font-semibold">{t(`arrange.${side}`)}</legend>
      <ol className="divide-y divide-line rounded-lg border border-line bg-surface">
        {panels.map(({ name, shown }, place) => {
          const title = t(TITLES[name]);
          return (
            <li key={name} id={`panel-${name}`} className="flex items-center gap-3 px-4 py-2 target:bg-accent-soft">
              <input type="hidden" name="order" value={name} />
              <label className="flex min-w-0 flex-1 items-center gap-3 py-1.5">
                {/* Drawn anew where the kept choice is another one. */}
                <input
                  key={String(shown)}
                  type="checkbox"
                  name="shown"
                  value={name}
                  defaultChecked={shown}
                  className="size-5 shrink-0 accent-accent"
                />
                <span>{title}</span>
              </label>
              {(['up', 'down'] as const).map((way) => {
                const last = way === 'up' ? place === 0 : place === panels.length - 1;
                const Icon = way === 'up' ? ArrowUp : ArrowDown;
                return (
                  <Button
                    key={way}
                    size="small"
                    name="move"
                    value={`${way}:${name}`}
                    disabled={last}
                    onClick={({ currentTarget }) => onMove(currentTarget)}
                    aria-label={named(t(`arrange.${way}`), title)}
                    className="min-w-8 px-2"
                  >
                    <Icon aria-hidden="true" />
                  </Button>
                );
              })}
            </li>
          );
        })}
      </ol>
    </fieldset>
  );
}
