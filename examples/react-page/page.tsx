import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { NitkaChat } from "./nitka-chat.tsx";
import { usePortals } from "./use-portals.tsx";
import { WeatherCard } from "./weather-card.tsx";

function Page() {
  const [open, setOpen] = useState(true);
  const [renderWeather, weather] = usePortals(WeatherCard);
  return (
    <main>
      <button type="button" onClick={() => setOpen(!open)}>
        {open ? "Убрать чат" : "Вернуть чат"}
      </button>
      <div style={{ height: "40rem" }}>
        {open && (
          <NitkaChat server="http://localhost:3000" routing="none" renderers={{ "tool:get_weather": renderWeather }} />
        )}
      </div>
      {weather}
    </main>
  );
}

const root = document.querySelector("#root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Page />
    </StrictMode>,
  );
}
