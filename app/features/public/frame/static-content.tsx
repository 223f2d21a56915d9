import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { followedLink } from '#app/components/live/followed-links.ts';

/**
 * Content that needs no script: the server draws it, and the browser keeps what it was sent. Neither its code nor its texts go to a browser
 * that opens the page; one that comes by a link within the product draws it again, which loads both. Children may therefore be lazy. `id`
 * must be unique in the page.
 */
export function StaticContent({ id, children }: { id: string; children: ReactNode }) {
  const [sent] = useState(() => (typeof document === 'undefined' ? null : sentOf(id)));
  const box = useRef<HTMLDivElement>(null);
  useFollowedLinks(box);
  if (sent === null) {
    return (
      <div id={id} ref={box}>
        {children}
      </div>
    );
  }
  // biome-ignore lint/security/noDangerouslySetInnerHtml: it is the page's own content, already parsed, and is only left in place
  return <div id={id} ref={box} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: sent }} />;
}

/** The server's HTML by address and language: a reader who comes back finds the page at its full height, and so at the same place. */
const kept = new Map<string, string>();

function sentOf(id: string): string | null {
  const key = [window.location.pathname, document.documentElement.lang, id].join(' ');
  const sent = document.getElementById(id)?.innerHTML ?? kept.get(key) ?? null;
  if (sent !== null) kept.set(key, sent);
  return sent;
}

/** Links in it are plain ones, so following one within the product is done here, as a router's link would. */
function useFollowedLinks(box: React.RefObject<HTMLDivElement | null>) {
  const navigate = useNavigate();
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const follow = (event: MouseEvent) => {
      const link = followedLink(event);
      if (link === null) return;
      event.preventDefault();
      void navigate(`${link.pathname}${link.search}${link.hash}`);
    };
    element.addEventListener('click', follow);
    return () => element.removeEventListener('click', follow);
  }, [box, navigate]);
}
