import { useEffect, useState } from 'react';
import { href, type Navigation, useNavigation } from 'react-router';
import { afterFrame } from '#app/features/workflows/editor/picture/in-turns.ts';

/** Sends something that answers with a new revision of the draft, or finds that there is nothing to send. */
type Turn = () => void;
type Turns = ReturnType<typeof createTurns>;

/**
 * Changes of one draft, one after the other. The router gives up a change under way when another is sent, and the server might then know only the
 * second: an undo meant for the first would take back what was before it.
 */
export function useDraftTurns(workflow: string): { turns: Turns; state: Navigation['state'] } {
  const navigation = useNavigation();
  const [turns] = useState(createTurns);
  const isFormSent = navigation.formMethod !== undefined;
  useEffect(() => {
    turns.isFormSent.current = isFormSent;
    turns.go();
  });
  useEffect(() => {
    let passes = false;
    const hold = (event: SubmitEvent) => {
      const { target: form, submitter } = event;
      if (passes) {
        turns.isFormSent.current = true;
        return;
      }
      if (!(form instanceof HTMLFormElement) || !turns.isAny() || !isOfDraft(form, workflow)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      turns.push(() => {
        // It is sent as it is by then, with the revision that was made meanwhile.
        if (!form.isConnected || (submitter instanceof HTMLButtonElement && submitter.disabled)) return;
        passes = true;
        form.requestSubmit(submitter);
        passes = false;
      });
    };
    // Before the router hears of it.
    window.addEventListener('submit', hold, { capture: true });
    return () => window.removeEventListener('submit', hold, { capture: true });
  }, [workflow, turns]);
  return { turns, state: navigation.state };
}

function createTurns() {
  const isFormSent = { current: false };
  let waiting: Turn[] = [];
  let isSent = false;
  const go = (): void => {
    while (!isSent && !isFormSent.current && waiting.length > 0) waiting.shift()?.();
  };
  return {
    /** A form of the page has been sent, and is not answered. */
    isFormSent,
    go,
    isAny: () => isSent || waiting.length > 0,
    /** After the next frame, in which the page shows that the key was heard; or once those before it are answered. */
    push(turn: Turn): void {
      waiting.push(turn);
      afterFrame(go);
    },
    sent(): void {
      isSent = true;
    },
    /** `refused`: those behind it were meant for what it would have made. */
    answered(refused: boolean): void {
      isSent = false;
      if (refused) waiting = [];
    },
  };
}

function isOfDraft(form: HTMLFormElement, workflow: string): boolean {
  const { pathname } = new URL(form.getAttribute('action') ?? '', window.location.href);
  const editor = href('/dashboard/workflows/:workflow/edit', { workflow });
  return pathname === editor || pathname.startsWith(`${editor}/`);
}
