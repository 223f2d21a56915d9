import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { CopiedBlock } from '#app/components/value/copy/copied.tsx';
import type { MarkdownNode } from '#app/components/value/markdown-node.ts';

/** A text in Markdown, element by element. Pictures are links: nothing is loaded from elsewhere. `label` names what scrolls in it. */
export function MarkdownView({ nodes, label }: { nodes: readonly MarkdownNode[]; label: string }) {
  return (
    <div dir="auto" className="grid grid-cols-[minmax(0,1fr)] gap-3 break-words">
      <Nodes nodes={nodes} label={label} />
    </div>
  );
}

function Nodes({ nodes, label }: { nodes: readonly MarkdownNode[] | undefined; label: string }): ReactNode {
  return nodes?.map((node, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts have an order and never move
    typeof node === 'string' ? node : <Element key={index} node={node} label={label} />,
  );
}

type Element = Exclude<MarkdownNode, string>;

function Element({ node, label }: { node: Element; label: string }): ReactNode {
  const { t } = useTranslation('common');
  const inside = <Nodes nodes={node.children} label={label} />;
  switch (node.tag) {
    case 'h':
      return <h4 className="font-semibold">{inside}</h4>;
    case 'ul':
      return <ul className="list-disc ps-5">{inside}</ul>;
    case 'ol':
      return (
        <ol start={node.start} className="list-decimal ps-6">
          {inside}
        </ol>
      );
    case 'blockquote':
      return <blockquote className="grid gap-2 border-s-2 border-edge ps-3 text-muted">{inside}</blockquote>;
    case 'pre':
      return (
        <CopiedBlock name={label}>
          <ScrollGroup label={label} className="max-h-96 overflow-auto rounded-md border border-line bg-raised">
            <pre dir="ltr" data-copied-text="" className="p-3 text-start font-mono text-sm">
              {inside}
            </pre>
          </ScrollGroup>
        </CopiedBlock>
      );
    case 'a':
      return node.href === undefined ? (
        inside
      ) : (
        <a href={node.href} rel="nofollow noreferrer" className="text-link">
          {inside}
        </a>
      );
    case 'image':
      return node.href === undefined ? (
        inside
      ) : (
        <a href={node.href} rel="nofollow noreferrer" className="text-link">
          {t('value.image')} {inside}
        </a>
      );
    case 'table':
      return (
        <ScrollGroup label={label} className="overflow-x-auto rounded-md border border-line">
          <table className="w-full text-sm">{inside}</table>
        </ScrollGroup>
      );
    case 'th':
      return (
        <th scope="col" className="border-b border-edge/60 bg-raised px-3 py-1.5 text-start">
          {inside}
        </th>
      );
    case 'td':
      return <td className="border-t border-line px-3 py-1.5 align-baseline">{inside}</td>;
    case 'code':
      return (
        <code dir="ltr" className="rounded-sm bg-raised px-1 font-mono text-sm">
          {inside}
        </code>
      );
    case 'br':
      return <br />;
    case 'hr':
      return <hr className="border-line" />;
    default: {
      const Tag = node.tag;
      return <Tag>{inside}</Tag>;
    }
  }
}
