import "streamdown/styles.css";
import { Streamdown } from "streamdown";
import { showChat } from "../use-chat-page.jsx";

await showChat(function Answer({ text }) {
  return <Streamdown>{text}</Streamdown>;
});
