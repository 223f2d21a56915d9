import { Children, isValidElement, type ReactElement, type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import { useScriptElements } from '#app/components/live/router-edges.tsx';

const ID = 'late-scripts';

/**
 * The scripts of the page. Public pages can be read and used without them, so a browser asks for them when its reader first does something, or
 * once it has loaded the page and has nothing else to do: until then they stand in a template, which does nothing on its own. In the app area
 * they are asked for as the page comes.
 */
export function LateScripts() {
  const made = useScriptElements();
  const { pathname } = useLocation();
  const [waits] = useState(!pathname.startsWith('/dashboard'));
  const parts = flat(made);
  if (!waits || parts.length === 0) return made;
  const late = parts.filter(({ props }) => props.rel === 'modulepreload' || props.type === 'module');
  const nonce = late[0]?.props.nonce;
  return (
    <>
      {parts.filter((part) => !late.includes(part))}
      {/* The browser has read it before hydration: there is nothing to compare. */}
      <template
        id={ID}
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the addresses of our own files, and the script that React Router has made
        dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? late.map(written).join('') : '' }}
      />
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant */}
      <script {...(nonce ? { nonce } : {})} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: START }} />
    </>
  );
}

/**
 * Signs of a reader who uses the page. What they press meanwhile works as it does without scripts. No moving pointer: browsers report one at
 * rest as moved when a page is drawn below it.
 */
const FIRST_SIGNS = ['pointerdown', 'keydown', 'focusin', 'wheel', 'touchstart'];
/** A page that is never idle still comes to life, and where a browser does not tell, the time in which it will have drawn the page. */
const WAIT_MS = { longest: 2_000, untold: 200 };

const START = `(() => {
  const signs = ${JSON.stringify(FIRST_SIGNS)}, kept = { capture: true, passive: true };
  let asked = false;
  const start = () => {
    for (const sign of signs) removeEventListener(sign, start, kept);
    if (!asked) document.head.append(document.getElementById('${ID}').content.cloneNode(true));
    asked = true;
  };
  const whenIdle = () => self.requestIdleCallback ? requestIdleCallback(start, { timeout: ${WAIT_MS.longest} }) : setTimeout(start, ${WAIT_MS.untold});
  for (const sign of signs) addEventListener(sign, start, kept);
  if (document.readyState === 'complete') whenIdle(); else addEventListener('load', whenIdle);
})()`;

type Part = ReactElement<{ rel?: string; type?: string; href?: string; nonce?: string; dangerouslySetInnerHTML?: { __html: string } }>;

function flat(node: ReactNode): Part[] {
  return Children.toArray(node).flatMap((child) => {
    if (!isValidElement<{ children?: ReactNode }>(child)) return [];
    return child.props.children === undefined ? [child as Part] : flat(child.props.children);
  });
}

function written({ props }: Part): string {
  const nonce = props.nonce ? ` nonce="${props.nonce}"` : '';
  if (props.rel) return `<link rel="${props.rel}" href="${props.href}"${nonce}>`;
  return `<script type="module"${nonce}>${props.dangerouslySetInnerHTML?.__html ?? ''}</script>`;
}
