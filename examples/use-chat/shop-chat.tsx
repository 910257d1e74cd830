import { useChat } from "@ai-sdk/react";
import { createNitkaTransport } from "@nitka/ai-sdk";
import { useState } from "react";
import { threads } from "./open-thread.ts";
import type { OpenThread } from "./open-thread.ts";
import type { ShopMessage } from "./shop-message.ts";

const cart: string[] = [];

const transport = createNitkaTransport<ShopMessage>(threads, {
  cart_add: {
    description: "Adds a product to the visitor's cart",
    parameters: { type: "object", properties: { sku: { type: "string" } }, required: ["sku"] },
    execute: ({ sku }) => ({ items: cart.push(sku) }),
  },
});

/** A conversation with the page's own interface. */
export function ShopChat({ id, messages: history }: OpenThread) {
  const { messages, sendMessage, status, error } = useChat({ id, messages: [...history], transport, resume: true });
  const [text, setText] = useState("");
  const isRunning = status === "submitted" || status === "streaming";
  return (
    <main>
      {messages.map(({ id: messageId, role, parts }) => (
        <article key={messageId} aria-label={role === "user" ? "Вы" : "Ассистент"}>
          {parts.map((part, index) => (
            <PartView key={keyOf(part, index)} part={part} threadId={id} />
          ))}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void sendMessage({ text });
          setText("");
        }}
      >
        <input aria-label="Сообщение" value={text} onChange={(event) => setText(event.target.value)} />
        {isRunning ? (
          <button type="button" onClick={() => void transport.cancel(id)}>
            Остановить
          </button>
        ) : (
          <button>Отправить</button>
        )}
      </form>
    </main>
  );
}

/** A tool call keeps its view. All other parts only grow at the end of a message. */
function keyOf(part: ShopMessage["parts"][number], index: number): string {
  return "toolCallId" in part ? part.toolCallId : `${part.type} ${index}`;
}

function PartView({ part, threadId }: { readonly part: ShopMessage["parts"][number]; readonly threadId: string }) {
  switch (part.type) {
    case "text":
      return <p>{part.text}</p>;
    case "reasoning":
      return <details>{part.text}</details>;
    case "data-order":
      return (
        <section aria-label="Заказ">
          {part.data.product}: {part.data.state === "placed" ? "оформлен" : "оформляется"}
        </section>
      );
    case "tool-cart_add":
      return <p>{part.state === "output-available" ? `В корзине: ${part.output.items}` : "Кладу в корзину…"}</p>;
    case "tool-cancel_order":
      return part.state === "approval-requested" ? (
        <Approval order={part.input.order} onDecide={(yes) => void transport.approve(threadId, part.toolCallId, yes)} />
      ) : (
        <p>{part.state === "output-denied" ? "Заказ не отменён" : part.state === "output-available" && part.output}</p>
      );
    default:
      return null;
  }
}

function Approval({ order, onDecide }: { readonly order: number; readonly onDecide: (approved: boolean) => void }) {
  return (
    <fieldset>
      <legend>Отменить заказ {order}?</legend>
      <button type="button" onClick={() => onDecide(true)}>
        Разрешить
      </button>
      <button type="button" onClick={() => onDecide(false)}>
        Отклонить
      </button>
    </fieldset>
  );
}
