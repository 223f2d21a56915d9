import { Children, isValidElement, type ReactElement, type ReactNode, useState } from 'react';
import { useLocation } from 'react-router';
import { useScriptElements } from '#app/components/live/router-edges.tsx';

const ID = 'late-scripts';

/**
 * The scripts of the page. Public pages can be read and used without them, so a browser asks for them once it has shown the page: until
 * then they stand in a template, which does nothing on its own. In the app area they are asked for as the page comes.
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

// When the second frame begins, the first one is on the screen. A page in the background gets no frames.
const START = `((start) => document.hidden ? start() : requestAnimationFrame(() => requestAnimationFrame(start)))(
  () => document.head.append(document.getElementById('${ID}').content.cloneNode(true)))`;

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
