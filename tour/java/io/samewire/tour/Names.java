package io.samewire.tour;

import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedField;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.samewire.pack.Name;

/** Jackson reads our {@code @Name}, so that one record serves both. */
public final class Names extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1L;

    @Override
    public PropertyName findNameForSerialization(Annotated annotated) {
        return named(annotated, super.findNameForSerialization(annotated));
    }

    @Override
    public PropertyName findNameForDeserialization(Annotated annotated) {
        return named(annotated, super.findNameForDeserialization(annotated));
    }

    @Override
    public String[] findEnumValues(MapperConfig<?> config, AnnotatedClass type, Enum<?>[] values, String[] names) {
        String[] found = super.findEnumValues(config, type, values, names);
        for (AnnotatedField constant : type.fields()) {
            Name name = constant.getAnnotation(Name.class);
            for (int i = 0; name != null && i < values.length; i++) {
                if (values[i].name().equals(constant.getName())) {
                    found[i] = name.value();
                }
            }
        }
        return found;
    }

    private static PropertyName named(Annotated annotated, PropertyName otherwise) {
        Name name = annotated.getAnnotation(Name.class);
        return name == null ? otherwise : PropertyName.construct(name.value());
    }
}
