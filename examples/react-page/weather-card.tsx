import type { RenderedTool } from "@nitka/widget";
import type { CSSProperties } from "react";

/** The fields of the demo model's tool result that are shown. */
interface Forecast {
  readonly city: string;
  readonly days: readonly {
    readonly day: string;
    readonly sky: string;
    readonly dayC: number;
    readonly nightC: number;
  }[];
}

const quiet: CSSProperties = { color: "var(--nitka-text-quiet)", fontSize: 14 };
const card: CSSProperties = {
  display: "grid",
  gap: 12,
  maxWidth: 420,
  padding: "14px 18px",
  borderRadius: 14,
  background: "var(--nitka-surface-sunken)",
};
const columns: CSSProperties = {
  display: "grid",
  gridTemplateColumns: "repeat(auto-fit, minmax(104px, 1fr))",
  gap: 12,
  margin: 0,
  padding: 0,
  listStyle: "none",
};
const degrees: CSSProperties = { fontSize: 22, lineHeight: "32px", fontVariantNumeric: "tabular-nums" };

/** The weather that a tool has looked up, in place of the widget's own view of the tool call. */
export function WeatherCard({ part: { state, result } }: { readonly part: RenderedTool }) {
  if (state !== "done")
    return <span style={quiet}>{state === "failed" ? "Погода не нашлась." : "Смотрю на небо…"}</span>;
  const { city, days } = result as Forecast;
  return (
    <section style={card} aria-label={`Погода: ${city}`}>
      <strong>{city}</strong>
      <ul style={columns}>
        {days.map(({ day, sky, dayC, nightC }) => (
          <li key={day}>
            <div style={quiet}>{day}</div>
            <div style={degrees}>{dayC}°</div>
            <div style={quiet}>
              {sky}, ночью {nightC}°
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
